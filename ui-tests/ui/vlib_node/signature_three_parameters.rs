//! A node's function takes nothing else.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet, _count: u32) -> Next {
    Next::Lookup
}

fn main() {}
