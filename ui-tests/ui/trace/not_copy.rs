//! A record is copied into VPP's memory.

use vppkit::prelude::*;

#[derive(Trace)]
#[trace("{length}")]
struct Seen {
    length: u16,
}

fn main() {}
