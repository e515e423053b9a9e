//! Where a packet goes next.

use crate::feature::{OnArc, Placement};
use crate::next::{NextNodes, NoNext};
use crate::node::Node;

/// Where the node `N`, which is on a feature arc, sends a packet.
///
/// The dispatch loop turns it into VPP's terms: the next index, the packet's place on the arc
/// (`vnet_feature_next`), the drop reason (`vlib_buffer_t::error`). A node that is on no arc returns its next
/// node, or `Result<Next, Error>`; see [`IntoVerdict`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Verdict<N: Node> {
    /// To the next feature of the arc that the packet is on; at the arc's end to its last node.
    NextFeature,
    /// Off the arc, to one of the node's own next nodes.
    Next(N::Next),
    /// Off the arc, to one of the node's own next nodes, with this reason on the packet: `error-punt` and `error-drop` count
    /// it, and traces name it.
    NextWithError(N::Next, N::Errors),
    /// To `error-drop`, counted under this reason of the node's own.
    Drop(N::Errors),
}

/// What the function of node `N` may return.
///
/// | node | returns |
/// |---|---|
/// | with `#[vnet_feature]` | [`Verdict<N>`](Verdict), or `Result<Verdict<N>, Error>`, where `Err` drops |
/// | any | its next node, or `Result<Next, Error>`, where `Err` drops |
#[diagnostic::on_unimplemented(
    message = "the node `{N}` cannot return `{Self}`",
    label = "not something that this node can return",
    note = "a node on a feature arc (`#[vnet_feature(..)]`) returns `Verdict<{N}>` or `Result<Verdict<{N}>, Error>`",
    note = "any node can return its own next nodes: `Next` or `Result<Next, Error>`, with `next = Next, errors = Error` in `#[vlib_node(..)]`"
)]
pub trait IntoVerdict<N: Node> {
    /// The verdict.
    fn into_verdict(self) -> Verdict<N>;
}

impl<N: Node> IntoVerdict<N> for Verdict<N>
where
    N::Placement: HasNextFeature<N>,
{
    #[inline(always)]
    fn into_verdict(self) -> Verdict<N> {
        self
    }
}

impl<N: Node, T: IntoVerdict<N>, E: IntoDrop<N>> IntoVerdict<N> for core::result::Result<T, E> {
    #[inline(always)]
    fn into_verdict(self) -> Verdict<N> {
        match self {
            Ok(verdict) => verdict.into_verdict(),
            Err(error) => Verdict::Drop(error.into_drop()),
        }
    }
}

/// A node that has no next nodes of its own never names one.
impl<N: Node> IntoVerdict<N> for NoNext {
    #[inline(always)]
    fn into_verdict(self) -> Verdict<N> {
        match self {}
    }
}

/// What the function of node `N` may fail with: the node's own errors. `#[vlib_node]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the errors of the node `{N}`",
    label = "not an error of this node",
    note = "write `errors = {Self}` in `#[vlib_node(..)]`, or use the errors that are named there"
)]
pub trait IntoDrop<N: Node> {
    /// The reason.
    fn into_drop(self) -> N::Errors;
}

/// A node on a feature arc. A trait of its own for the sake of its message.
#[diagnostic::on_unimplemented(
    message = "the node `{N}` is on no feature arc, so it cannot return a `Verdict`",
    label = "only a node on a feature arc can return this",
    note = "put the node onto an arc: write `#[vnet_feature(arc = \"ip4-unicast\")]` below `#[vlib_node(..)]`",
    note = "or return the next node: `Next` or `Result<Next, Error>`, with `next = Next, errors = Error` in `#[vlib_node(..)]`"
)]
pub trait HasNextFeature<N>: Placement {}

impl<N> HasNextFeature<N> for OnArc {}

/// Index of `error-drop` among the node's next nodes. Every node has it: last, unless the node names it itself.
pub(crate) const fn drop_index<N: Node>() -> u16 {
    let names = N::Next::NAMES;
    let mut i = 0;
    while i < names.len() {
        if same(names[i].to_bytes(), crate::next::ERROR_DROP.to_bytes()) {
            return i as u16;
        }
        i += 1;
    }
    names.len() as u16
}

/// `a == b`, in constants.
pub(crate) const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
