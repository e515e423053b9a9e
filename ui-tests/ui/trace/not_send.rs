//! A record is written on the thread of the node and printed on the main thread.

use std::cell::Cell;

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
#[trace("seen")]
struct Seen {
    _count: &'static Cell<u32>,
}

fn main() {}
