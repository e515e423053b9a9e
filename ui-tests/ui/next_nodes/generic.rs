//! A node has one table of next nodes.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next<T> {
    #[next_node("ip4-lookup")]
    Lookup(T),
}

fn main() {}
