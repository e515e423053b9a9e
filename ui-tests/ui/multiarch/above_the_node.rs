//! The node reads it, so it stands below.

use vppkit::prelude::*;

#[multiarch(icl)]
#[vlib_node(name = "count-packets")]
#[vnet_feature(arc = "ip4-unicast")]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
