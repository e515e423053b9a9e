//! A record can be printed.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
struct Seen {
    length: u16,
}

fn main() {}
