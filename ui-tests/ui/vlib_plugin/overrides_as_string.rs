//! `overrides` is a list.

use vppkit::prelude::*;

#[vlib_plugin(overrides = "ping_plugin.so")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
