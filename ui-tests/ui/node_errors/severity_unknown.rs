//! Severities are VPP's.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    /// packets that are too short
    #[error(severity = warning)]
    Short,
}

fn main() {}
