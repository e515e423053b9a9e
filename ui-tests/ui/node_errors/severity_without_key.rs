//! Arguments have names.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    #[error(info)]
    Short,
}

fn main() {}
