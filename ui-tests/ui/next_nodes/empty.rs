//! A node without next nodes has no enum.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {}

fn main() {}
