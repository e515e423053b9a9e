//! An argument is given once.

use vppkit::prelude::*;

#[vlib_plugin(description = "Counts packets", description = "Counts")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
