//! A record outlives the packet.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
struct Seen<'a> {
    data: &'a [u8],
}

fn main() {}
