//! The node comes first.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f(_packet: &mut Packet, _node: &mut NodeContext<f>) -> Next {
    Next::Lookup
}

fn main() {}
