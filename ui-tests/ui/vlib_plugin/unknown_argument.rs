//! An argument that is far from all others.

use vppkit::prelude::*;

#[vlib_plugin(version = "1.0")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
