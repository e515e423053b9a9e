//! A format prints what has `Display`.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
#[trace("{bytes}")]
struct Seen {
    bytes: [u8; 4],
}

fn main() {}
