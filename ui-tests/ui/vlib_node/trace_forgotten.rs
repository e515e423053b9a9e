//! A record is left only by a node that says so.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
#[trace("ttl {ttl}")]
struct Seen {
    ttl: u8,
}

#[vlib_node(name = "count-packets")]
#[vnet_feature(arc = "ip4-unicast")]
fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> Verdict<f> {
    node.trace(packet, || Seen { ttl: 64 });
    Verdict::NextFeature
}

fn main() {}
