//! VPP has room for 2,032 bytes of trace.

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
    data: [u8; 2048],
}

#[vlib_node(name = "count-packets", next = Next, trace = Seen)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
