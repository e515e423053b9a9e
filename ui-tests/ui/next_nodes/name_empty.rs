//! A node has a name.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("")]
    Lookup,
}

fn main() {}
