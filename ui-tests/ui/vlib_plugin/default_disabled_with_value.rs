//! A switch has no value.

use vppkit::prelude::*;

#[vlib_plugin(default_disabled = true)]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
