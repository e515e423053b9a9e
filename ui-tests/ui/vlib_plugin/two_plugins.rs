//! A crate is one plugin.

use vppkit::prelude::*;

mod first {
    use vppkit::prelude::*;

    #[vlib_plugin]
    fn init(_vm: &mut MainBarrier) -> Result<()> {
        Ok(())
    }
}

#[vlib_plugin]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

fn main() {}
