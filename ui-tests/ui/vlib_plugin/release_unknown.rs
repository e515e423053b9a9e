//! A release that vppkit has no table of.

use vppkit::prelude::*;

#[vlib_plugin(description = "x", releases = ["26.06", "27.02"])]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
