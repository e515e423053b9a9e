//! A variant says which node it is.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
    Punt,
}

fn main() {}
