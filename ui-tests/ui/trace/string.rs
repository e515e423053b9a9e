//! A record is copied into VPP's memory.

use vppkit::prelude::*;

#[derive(Trace)]
#[trace("{name}")]
struct Seen {
    name: String,
}

fn main() {}
