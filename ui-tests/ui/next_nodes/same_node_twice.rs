//! A node is named once.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
    #[next_node("ip4-lookup")]
    Again,
}

fn main() {}
