//! VPP has one function for a node.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f<T>(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
