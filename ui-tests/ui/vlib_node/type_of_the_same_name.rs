//! The node's type has the name of the function.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

struct count_packets;

#[vlib_node(name = "count-packets", next = Next)]
fn count_packets(_node: &mut NodeContext<count_packets>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
