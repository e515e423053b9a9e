//! A plugin is named by its file.

use vppkit::prelude::*;

#[vlib_plugin(overrides = ["ping"])]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
