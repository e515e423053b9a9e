//! A record has one layout.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
struct Seen<T> {
    value: T,
}

fn main() {}
