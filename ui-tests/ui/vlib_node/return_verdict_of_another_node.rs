//! A verdict is this node's own.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "other", next = Next)]
#[vnet_feature(arc = "ip4-unicast")]
fn other(_node: &mut NodeContext<other>, _packet: &mut Packet) -> Verdict<other> {
    Verdict::NextFeature
}

#[vlib_node(name = "count-packets", next = Next)]
#[vnet_feature(arc = "ip4-unicast")]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<other> {
    Verdict::NextFeature
}

fn main() {}
