//! A record outlives the packet.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
#[trace("{name}")]
struct Seen {
    name: &'static str,
}

fn main() {}
