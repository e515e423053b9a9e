//! The context says whose it is.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f(_node: &mut NodeContext, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
