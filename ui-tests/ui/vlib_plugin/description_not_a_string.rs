//! A description is a string literal.

use vppkit::prelude::*;

#[vlib_plugin(description = 5)]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
