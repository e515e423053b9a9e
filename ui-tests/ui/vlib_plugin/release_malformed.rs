//! A release is year and month, two digits each.

use vppkit::prelude::*;

#[vlib_plugin(description = "x", releases = ["26.6", "stable/2606"])]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
