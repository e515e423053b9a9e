//! The init function takes the barrier.

use vppkit::prelude::*;

#[vlib_plugin]
fn init() -> Result<()> {
    Ok(())
}

fn main() {}
