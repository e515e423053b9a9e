//! Write [FD.io VPP](https://fd.io) plugins in Rust by annotating functions.
//!
//! ```
//! use vppkit::prelude::*;
//!
//! /// Called once, when VPP has loaded the plugin.
//! #[vlib_plugin(description = "Drop ICMP")]
//! fn init(_vm: &mut MainBarrier) -> Result<()> {
//!     Ok(())
//! }
//!
//! #[derive(NodeErrors)]
//! enum Error {
//!     /// ICMP packets dropped
//!     #[error(severity = info)]
//!     Icmp,
//! }
//!
//! #[vlib_node(name = "drop-icmp", errors = Error)]
//! #[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
//! fn drop_icmp(_node: &mut NodeContext<drop_icmp>, packet: &mut Packet) -> Verdict<drop_icmp> {
//!     match packet.header::<Ipv4Header>() {
//!         Some(ip) if ip.protocol == IpProtocol::ICMP => Verdict::Drop(Error::Icmp),
//!         _ => Verdict::NextFeature,
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! `cargo build --release` makes a normal VPP plugin of such a crate (`crate-type = ["cdylib"]`). It needs no VPP
//! to build, and the same file loads in every supported release of VPP.
//!
//! # Where to go
//! | to | see |
//! |---|---|
//! | register a plugin | [`vlib_plugin`], [`MainBarrier`] |
//! | write a node | [`vlib_node`], [`NodeContext`], [`Verdict`] |
//! | put it on a feature arc | [`vnet_feature`] |
//! | compile it for several instruction sets | [`multiarch`] |
//! | name next nodes | [`NextNodes`](derive@NextNodes) |
//! | count errors and drops | [`NodeErrors`](derive@NodeErrors) |
//! | trace packets | [`Trace`](derive@Trace) |
//! | read and change packets | [`Packet`], [`header`] |
//! | test a node | [`testing`] and the crate `vppkit-host` |

#[doc(hidden)]
pub mod __private;
mod error;
#[cfg(test)]
mod fake;
mod feature;
pub mod header;
mod interface;
mod next;
mod node;
mod packet;
mod plugin;
pub mod prelude;
pub mod testing;
mod trace;
mod verdict;

pub use error::{ErrorCounter, NoErrors, NodeErrors, Severity};
pub use feature::{NoArc, OnArc};
pub use interface::SwIfIndex;
pub use next::{NextNodes, NoNext};
pub use node::{Node, NodeContext, PacketNode};
pub use packet::{Chain, NoRoom, Packet, Short, Unwritable};
pub use plugin::{Error, MainBarrier, Result};
pub use trace::{IntoTrace, NoTrace, Trace, TraceField};
pub use verdict::{HasNextFeature, IntoDrop, IntoVerdict, Verdict};

pub use vppkit_macros::{NextNodes, NodeErrors, Trace, multiarch, vlib_node, vlib_plugin, vnet_feature};
