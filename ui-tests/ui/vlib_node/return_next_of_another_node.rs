//! A next node is this node's own.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[derive(NextNodes)]
enum OtherNext {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> OtherNext {
    OtherNext::Lookup
}

fn main() {}
