//! Has a node of its own, and one of a library with the same function name.

use vppkit::prelude::*;

// Without a mention, nothing of the library would be linked.
use ui_tests_nodes as _;

/// Called by VPP.
#[vlib_plugin]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// Lets everything pass, with the next nodes of the library.
#[vlib_node(name = "from-plugin", next = ui_tests_nodes::Next)]
pub fn pass(_node: &mut NodeContext<pass>, _packet: &mut Packet) -> ui_tests_nodes::Next {
    ui_tests_nodes::Next::Lookup
}
