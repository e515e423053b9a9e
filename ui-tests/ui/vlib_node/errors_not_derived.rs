//! The type of the errors has its derive.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

enum Error {
    Short,
}

#[vlib_node(name = "count-packets", next = Next, errors = Error)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Next {
    Next::Lookup
}

fn main() {}
