//! An argument is given once.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    #[error(severity = info, severity = warn)]
    Short,
}

fn main() {}
