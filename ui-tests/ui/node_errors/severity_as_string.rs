//! A severity is a word.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    #[error(severity = "info")]
    Short,
}

fn main() {}
