//! A variant is one node.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    #[next_node("ip6-lookup")]
    Lookup,
}

fn main() {}
