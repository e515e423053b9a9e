//! A node traces its own records.

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

#[vlib_node(name = "count-packets", next = Next, trace = Seen)]
fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> Next {
    node.trace(packet, || 5);
    Next::Lookup
}

fn main() {}
