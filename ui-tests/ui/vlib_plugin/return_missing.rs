//! The init function can fail.

use vppkit::prelude::*;

#[vlib_plugin]
fn init(_vm: &mut MainBarrier) {}

fn main() {}
