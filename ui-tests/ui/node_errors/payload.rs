//! A counter is a number.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    Short(u32),
}

fn main() {}
