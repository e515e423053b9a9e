//! VPP waits for the init function.

use vppkit::prelude::*;

#[vlib_plugin]
async fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
