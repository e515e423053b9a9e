//! A brace is closed.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
#[trace("length {length")]
struct Seen {
    length: u16,
}

fn main() {}
