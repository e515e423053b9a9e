//! The name stands in parentheses.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node = "ip4-lookup"]
    Lookup,
}

fn main() {}
