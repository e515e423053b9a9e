//! All mistakes are reported together.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4 lookup")]
    Lookup,
    Punt,
    #[next_node("error-drop")]
    Drop(u8),
}

fn main() {}
