//! `#[vlib_node]` comes first.

use vppkit::prelude::*;

#[vnet_feature(arc = "ip4-unicast")]
#[vlib_node(name = "count-packets")]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
