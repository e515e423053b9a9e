//! The init function can fail with an error for VPP.

use vppkit::prelude::*;

#[vlib_plugin]
fn init(_vm: &mut MainBarrier) -> Result<u32, String> {
    Ok(5)
}

fn main() {}
