//! One counter is vppkit's own.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that cause one
    Panic,
}

fn main() {}
