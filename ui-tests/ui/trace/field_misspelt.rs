//! A format names fields.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
#[trace("length {lenght}")]
struct Seen {
    length: u16,
}

fn main() {}
