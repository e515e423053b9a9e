//! One release is a list of one.

use vppkit::prelude::*;

#[vlib_plugin(description = "x", releases = "26.06")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
