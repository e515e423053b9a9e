//! rustc says what a type really is.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

mod other {
    pub struct Packet;
}

#[vlib_node(name = "count-packets", next = Next)]
fn f(_node: &mut NodeContext<f>, _packet: &mut other::Packet) -> Next {
    Next::Lookup
}

fn main() {}
