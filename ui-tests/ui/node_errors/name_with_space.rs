//! VPP reads a counter's name up to a space.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    #[error(name = "too short")]
    Short,
}

fn main() {}
