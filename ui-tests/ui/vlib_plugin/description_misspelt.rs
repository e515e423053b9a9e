//! A misspelt argument finds its neighbour.

use vppkit::prelude::*;

#[vlib_plugin(descripton = "Counts packets")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
