//! The init function takes the barrier.

use vppkit::prelude::*;

#[vlib_plugin]
fn init(_vm: &MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
