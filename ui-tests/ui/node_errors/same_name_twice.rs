//! A counter is named once.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    Short,
    /// packets that are short
    #[error(name = "short")]
    AlsoShort,
}

fn main() {}
