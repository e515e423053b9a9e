//! A misspelt argument finds its neighbour.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[derive(Trace, Clone, Copy)]
#[trace("length {length}")]
struct Seen {
    length: u16,
}

#[vlib_node(name = "count-packets", next = Next, trase = Seen)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
