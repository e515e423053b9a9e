//! A trace record is a struct.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
enum Seen {
    Short,
}

fn main() {}
