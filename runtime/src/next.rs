//! Next nodes.

use core::ffi::CStr;

/// Where `Verdict::Drop` sends packets.
pub(crate) const ERROR_DROP: &CStr = c"error-drop";

/// The next nodes of a node: `.next_nodes` of `VLIB_REGISTER_NODE`. Use `#[derive(NextNodes)]`.
///
/// ```
/// use vppkit::prelude::*;
///
/// #[derive(NextNodes)]
/// enum Next {
///     #[next_node("ip4-lookup")]
///     Lookup,
///     #[next_node("error-punt")]
///     Punt,
/// }
///
/// assert_eq!(Next::NAMES, [c"ip4-lookup", c"error-punt"]);
/// assert_eq!(Next::Punt.index(), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no next nodes",
    label = "not an enum of next nodes",
    note = "write `#[derive(NextNodes)]` on the enum, and `#[next_node(\"NAME\")]` on each variant"
)]
pub trait NextNodes: Sized + 'static {
    /// The nodes' names, by index.
    const NAMES: &'static [&'static CStr];

    /// This node's place in [`NAMES`](Self::NAMES). A value past its end drops the packet.
    fn index(self) -> u16;
}

/// The node has no next nodes of its own: it drops packets, or passes them along a feature arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNext {}

impl NextNodes for NoNext {
    const NAMES: &'static [&'static CStr] = &[];

    fn index(self) -> u16 {
        match self {}
    }
}
