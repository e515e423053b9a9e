//! Only counters that the node was registered with can count.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets seen
    Seen,
}

#[vlib_node(name = "count-packets")]
#[vnet_feature(arc = "ip4-unicast")]
fn f(node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    node.count(Error::Seen, 1);
    Verdict::NextFeature
}

fn main() {}
