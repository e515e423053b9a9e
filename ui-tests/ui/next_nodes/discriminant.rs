//! The macro numbers the variants.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup = 3,
}

fn main() {}
