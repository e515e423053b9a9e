//! An error is this node's own.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    Short,
}

#[derive(NodeErrors)]
enum OtherError {
    /// packets that are too short
    Short,
}

#[vlib_node(name = "count-packets", errors = Error)]
#[vnet_feature(arc = "ip4-unicast")]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Verdict<f> {
    Verdict::Drop(OtherError::Short)
}

fn main() {}
