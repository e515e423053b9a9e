//! A node is a function.

use vppkit::prelude::*;

#[vlib_node(name = "count-packets")]
struct CountPackets;

fn main() {}
