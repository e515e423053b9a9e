//! Arguments have names.

use vppkit::prelude::*;

#[vlib_plugin("Counts packets")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
