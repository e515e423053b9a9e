//! A record holds plain values.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
#[trace("{length}")]
struct Seen {
    length: u16,
    at: *const u8,
}

fn main() {}
