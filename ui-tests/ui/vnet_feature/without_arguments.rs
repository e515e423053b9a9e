//! The arc is required.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
#[vnet_feature]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
