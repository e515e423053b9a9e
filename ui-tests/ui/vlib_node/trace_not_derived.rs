//! The type of the trace has its derive.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[derive(Clone, Copy)]
struct Seen {
    length: u16,
}

#[vlib_node(name = "count-packets", next = Next, trace = Seen)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
