//! Generated names are reserved.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn __vppkit_f(_node: &mut NodeContext<__vppkit_f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
