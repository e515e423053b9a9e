//! VPP prints a description in a line.

use vppkit::prelude::*;

#[vlib_plugin(description = "Counts\npackets")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
