//! A constraint is given once.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
#[vnet_feature(arc = "ip4-unicast", after = ["ip4-policer-classify", "ip4-policer-classify"])]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
