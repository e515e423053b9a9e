//! The name stands alone.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node(name = "ip4-lookup")]
    Lookup,
}

fn main() {}
