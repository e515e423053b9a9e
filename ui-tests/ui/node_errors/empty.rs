//! A node without errors has no enum.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {}

fn main() {}
