//! An argument that is far from all others.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
#[vnet_feature(arc = "ip4-unicast", priority = 5)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
