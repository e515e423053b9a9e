//! The runtime has another name here, and is re-exported: `::vppkit` does not exist.

#![deny(unsafe_code)]

mod deep {
    pub mod down {
        pub use vk as toolkit;
    }
}

use vk::prelude::*;

/// Called by VPP.
#[vlib_plugin(crate = vk)]
pub fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// By the crate's name.
#[derive(NextNodes)]
#[vppkit(crate = ::vk)]
pub enum Next {
    /// On.
    #[next_node("ip4-lookup")]
    Lookup,
}

/// By a path from here.
#[derive(NodeErrors)]
#[vppkit(crate = self::deep::down::toolkit)]
pub enum Error {
    /// packets that are too short
    Short,
}

/// By a path from the root.
#[derive(Trace, Clone, Copy)]
#[vppkit(crate = crate::deep::down::toolkit)]
#[trace("{length} bytes")]
pub struct Seen {
    length: u16,
}

/// By a bare name.
#[vlib_node(name = "renamed", next = Next, errors = Error, trace = Seen, crate = vk)]
#[vk::vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn renamed(node: &mut NodeContext<renamed>, packet: &mut Packet) -> Result<Verdict<renamed>, Error> {
    let length = u16::try_from(packet.len()).map_err(|_| Error::Short)?;
    node.trace(packet, || Seen { length });
    Ok(Verdict::Next(Next::Lookup))
}

mod inner {
    use super::Next;
    use super::deep::down::toolkit::prelude::*;

    /// By a path from the module above.
    #[vlib_node(name = "renamed-inner", next = super::Next, crate = super::deep::down::toolkit)]
    pub fn inner(_node: &mut NodeContext<inner>, _packet: &mut Packet) -> Next {
        Next::Lookup
    }
}
