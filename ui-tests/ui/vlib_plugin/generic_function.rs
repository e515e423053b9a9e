//! VPP has one init function.

use vppkit::prelude::*;

#[vlib_plugin]
fn init<T>(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
