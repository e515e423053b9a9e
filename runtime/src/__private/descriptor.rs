//! What the macros say of a node and of a feature.

use core::ffi::CStr;

use vppkit_sys::vlib::node::{format_function_t, vlib_node_function_t};

use crate::__private::march::NodeClone;
use crate::__private::{dispatch, format};
use crate::error::{ErrorCounter, NodeErrors};
use crate::feature::OnArc;
use crate::next::NextNodes;
use crate::node::{Node, PacketNode};
use crate::trace::MAX_RECORD;
use crate::verdict::drop_index;

/// A node, ready to be registered.
pub struct NodeDescriptor {
    pub(crate) name: &'static CStr,
    /// Runs on every processor.
    pub(crate) function: vlib_node_function_t,
    /// Run on some.
    pub(crate) clones: &'static [NodeClone],
    pub(crate) next_names: &'static [&'static CStr],
    /// Where `error-drop` is among the next nodes; behind `next_names` unless the node names it itself.
    pub(crate) drop_index: u16,
    pub(crate) errors: &'static [ErrorCounter],
    /// `None` if the node leaves no trace records.
    pub(crate) format_trace: Option<format_function_t>,
}

impl NodeDescriptor {
    /// A node whose function takes one packet at a time.
    pub const fn packet<N: PacketNode>() -> Self {
        assert!(
            size_of::<N::Trace>() <= MAX_RECORD,
            "the trace record is too large: VPP has room for 2032 bytes; keep less of the packet"
        );
        assert!(N::Next::NAMES.len() < u16::MAX as usize, "too many next nodes: VPP has room for 65534");
        assert!(
            N::Errors::COUNTERS.len() < u16::MAX as usize,
            "too many error counters: VPP has room for 65534"
        );
        Self {
            name: N::NAME,
            function: dispatch::packet_node::<N>,
            clones: &[],
            next_names: N::Next::NAMES,
            drop_index: drop_index::<N>(),
            errors: N::Errors::COUNTERS,
            format_trace: if is_inhabited::<N::Trace>() { Some(format::format_trace::<N>) } else { None },
        }
    }
}

impl NodeDescriptor {
    /// The same node with clones for instruction sets.
    pub const fn clones(self, clones: &'static [NodeClone]) -> Self {
        Self { clones, ..self }
    }
}

/// `NoTrace` has no values and no size; a record of no size would say nothing.
const fn is_inhabited<T>() -> bool {
    size_of::<T>() != 0
}

/// A node's place on a feature arc, ready to be registered.
pub struct FeatureDescriptor {
    pub(crate) node: &'static CStr,
    pub(crate) arc: &'static CStr,
    pub(crate) runs_before: &'static [&'static CStr],
    pub(crate) runs_after: &'static [&'static CStr],
}

impl FeatureDescriptor {
    /// The node `N` on the arc `arc`.
    pub const fn new<N: Node<Placement = OnArc>>(
        arc: &'static CStr,
        runs_before: &'static [&'static CStr],
        runs_after: &'static [&'static CStr],
    ) -> Self {
        Self { node: N::NAME, arc, runs_before, runs_after }
    }
}
