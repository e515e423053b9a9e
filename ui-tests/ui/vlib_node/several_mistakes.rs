//! All mistakes are reported together.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(nmae = "count-packets", next = "Next")]
async fn f(node: &NodeContext<g>, packet: &mut Packet, n: u32) {
    let _ = (node, packet, n);
}

fn main() {}
