//! A node is no method.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

struct Counter;

impl Counter {
    #[vlib_node(name = "count-packets", next = Next)]
    fn f(&mut self, _node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
        Next::Lookup
    }
}

fn main() {}
