//! A node's function takes the node and a packet.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f() -> Next {
    Next::Lookup
}

fn main() {}
