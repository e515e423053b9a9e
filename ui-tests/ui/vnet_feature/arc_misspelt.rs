//! A misspelt argument finds its neighbour.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
#[vnet_feature(ark = "ip4-unicast")]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
