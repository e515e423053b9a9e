//! A misspelt argument finds its neighbour.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    #[error(sevrity = info)]
    Short,
}

fn main() {}
