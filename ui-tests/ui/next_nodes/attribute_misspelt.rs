//! rustc knows the attributes of a derive.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_nodes("ip4-lookup")]
    Lookup,
}

fn main() {}
