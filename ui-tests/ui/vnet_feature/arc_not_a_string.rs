//! An arc is a string literal.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
#[vnet_feature(arc = ip4_unicast)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
