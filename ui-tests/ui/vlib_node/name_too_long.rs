//! A name fits into VPP's statistics.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets-that-come-in-by-an-interface-whose-name-is-very-long", next = Next)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
