//! Next nodes are an enum.

use vppkit::prelude::*;

#[derive(NextNodes)]
struct Next {
    lookup: u16,
}

fn main() {}
