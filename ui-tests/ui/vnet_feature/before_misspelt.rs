//! A misspelt argument finds its neighbour.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
#[vnet_feature(arc = "ip4-unicast", bofere = ["ip4-lookup"])]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::NextFeature
}

fn main() {}
