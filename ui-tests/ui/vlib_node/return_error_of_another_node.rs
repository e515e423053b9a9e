//! An error is this node's own.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

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

#[vlib_node(name = "count-packets", next = Next, errors = Error)]
fn f(_node: &mut NodeContext<f>, _packet: &mut Packet) -> Result<Next, OtherError> {
    Ok(Next::Lookup)
}

fn main() {}
