//! Once is enough.

use vppkit::prelude::*;

#[vlib_plugin(description = "x", releases = ["26.06", "26.06"])]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
