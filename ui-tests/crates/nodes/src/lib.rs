//! A node in a library, which is registered by each plugin that links it.

use vppkit::prelude::*;

/// Where the node sends packets.
#[derive(NextNodes)]
pub enum Next {
    /// On.
    #[next_node("ip4-lookup")]
    Lookup,
}

/// In a module of the library.
pub mod counting {
    use super::*;

    /// Lets everything pass.
    #[vlib_node(name = "from-library", next = Next)]
    #[vnet_feature(arc = "ip4-unicast")]
    pub fn pass(_node: &mut NodeContext<pass>, _packet: &mut Packet) -> Verdict<pass> {
        Verdict::NextFeature
    }
}
