//! Errors are a type.

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

#[vlib_node(name = "count-packets", next = Next, errors = [Error])]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
