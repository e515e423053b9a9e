//! The type of the next nodes has its derive.

use vppkit::prelude::*;

enum Next {
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
