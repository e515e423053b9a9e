//! A packet lives for the call.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f<'a>(_node: &mut NodeContext<f>, _packet: &'a mut Packet<'a>) -> Next {
    Next::Lookup
}

fn main() {}
