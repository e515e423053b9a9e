//! VPP separates names by commas.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup,ip6-lookup")]
    Lookup,
}

fn main() {}
