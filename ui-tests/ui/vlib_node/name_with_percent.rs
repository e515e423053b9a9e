//! VPP uses a node's name in a format.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "drop-10%", next = Next)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
