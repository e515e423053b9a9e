//! A misspelt argument finds its neighbour.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    Short,
}

#[vlib_node(name = "count-packets", next = Next, error = Error)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
