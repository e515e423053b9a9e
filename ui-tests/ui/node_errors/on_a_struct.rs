//! Errors are an enum.

use vppkit::prelude::*;

#[derive(NodeErrors)]
struct Error {
    short: u16,
}

fn main() {}
