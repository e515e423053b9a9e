//! Arguments stand in parentheses.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
#[vnet_feature = "ip4-unicast"]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
