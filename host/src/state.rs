//! What the host keeps of a run, next to VPP's own structures.

use std::cell::{RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use vppkit_sys::release::{ArcHeap, Release};
use vppkit_sys::vlib::error::vlib_error_t;
use vppkit_sys::vlib::frame::vlib_next_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{vlib_node_function_t, vlib_node_runtime_t, vlib_node_t};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::buffers::Pool;
use crate::error::HostError;
use crate::exports::Exports;
use crate::features::Arc;
use crate::nodes::pg_input::Input;
use crate::nodes::sink::Sinks;
use crate::sanitize::{Faults, Ledger};
use crate::vm::Frame;

/// No node: the host itself.
pub(crate) const NO_NODE: u32 = !0;

/// Bytes that `vlib_main_t` has room for, in any release.
const MAIN_BYTES: usize = 2048;

/// VPP's `vlib_main_t`, and behind it the host's own state, so that a function that is given the one finds
/// the other.
#[repr(C, align(64))]
pub(crate) struct Thread {
    pub(crate) main: vlib_main_t,
    rest: [u8; MAIN_BYTES - size_of::<vlib_main_t>()],
    pub(crate) state: *mut RefCell<State>,
}

/// Turns a builtin node's trace record into text.
pub(crate) type FormatRecord = fn(&State, &[u8]) -> String;

/// What the host knows of a node beyond `vlib_node_t`.
pub(crate) struct NodeInfo {
    pub(crate) name: String,
    /// Which plugin registered it; `None` for the host's own.
    pub(crate) owner: Option<String>,
    pub(crate) siblings: Vec<u32>,
    /// Next nodes whose names are to be resolved: slot and name.
    pub(crate) unresolved: Vec<(usize, String)>,
    pub(crate) sibling_of: Option<String>,
    pub(crate) format: Option<FormatRecord>,
    /// What must still be in the runtime after any dispatch.
    pub(crate) guard: Guard,
    pub(crate) flow: Flow,
    /// If it is a plugin's feature: where packets may be on an arc when they arrive at it.
    pub(crate) places: Option<BTreeSet<Place>>,
}

/// A position in a heap of configuration strings: whose heap, see [`Place::new`], and the index of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(u8, u32);

impl Place {
    /// `arc` counts only in releases where each arc has a heap of its own.
    pub(crate) fn new(release: &Release, arc: u8, position: u32) -> Self {
        match release.arc_heap {
            ArcHeap::PerArc { .. } => Self(arc, position),
            ArcHeap::Shared { .. } => Self(0, position),
        }
    }
}

/// The fields of a node's runtime that no node may change.
#[derive(Clone, Copy)]
pub(crate) struct Guard {
    pub(crate) function: Option<vlib_node_function_t>,
    pub(crate) errors: *mut vlib_error_t,
}

/// Packets in and out of one node, as the ledger sees them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) received: u64,
    pub(crate) handed_on: u64,
    pub(crate) created: u64,
    pub(crate) ended: u64,
}

/// Where packets ended.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    pub(crate) read: u64,
    pub(crate) created: u64,
    pub(crate) forwarded: BTreeMap<u32, u64>,
    pub(crate) dropped: BTreeMap<vlib_error_t, u64>,
    pub(crate) punted: BTreeMap<vlib_error_t, u64>,
    pub(crate) freed: BTreeMap<u32, u64>,
    pub(crate) lost: BTreeMap<u32, u64>,
}

impl Outcomes {
    pub(crate) fn ended(&self) -> u64 {
        [&self.forwarded, &self.freed, &self.lost].into_iter().flat_map(BTreeMap::values).sum::<u64>()
            + [&self.dropped, &self.punted].into_iter().flat_map(BTreeMap::values).sum::<u64>()
    }
}

/// The state of a run.
pub(crate) struct State {
    pub(crate) release: &'static Release,
    pub(crate) exports: &'static Exports,
    pub(crate) nodes: Vec<NodeInfo>,
    pub(crate) by_name: HashMap<String, u32>,
    /// All frames ever allocated, to free them at the end.
    pub(crate) frames: Vec<Frame>,
    /// A frame for a next index that does not exist.
    pub(crate) stray: Frame,
    pub(crate) pool: Pool,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) faults: Faults,
    pub(crate) warnings: Vec<String>,
    pub(crate) arcs: Vec<Arc>,
    /// The node that runs, or [`NO_NODE`].
    pub(crate) current: u32,
    pub(crate) input: Input,
    pub(crate) sinks: Sinks,
    pub(crate) outcomes: Outcomes,
    /// An error that ends the run.
    pub(crate) fatal: Option<HostError>,
    /// Room for records that are too long for VPP's placeholder.
    pub(crate) trace_scratch: Vec<u64>,
    /// What `drop` and `punt` say of each reason in traces.
    pub(crate) drop_errors: crate::nodes::drop::Cache,
}

impl State {
    /// A node's name, for messages.
    pub(crate) fn name(&self, node: u32) -> &str {
        self.nodes.get(node as usize).map_or("the host", |n| n.name.as_str())
    }

    /// The names of all nodes.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|n| n.name.as_str())
    }
}

/// The host's state behind a `vlib_main_t` of the host's.
///
/// # Panics
/// If the state is in use. The caller gives it back before it calls what may need it: a node, a callback, a function of
/// VPP's, or another function that takes `vm`.
///
/// # Safety
/// `vm` is the host's, and the result is not kept beyond the run.
#[track_caller]
pub(crate) unsafe fn state<'a>(vm: *mut vlib_main_t) -> RefMut<'a, State> {
    // SAFETY: by contract `vm` is the first field of a `Thread`, whose state lives as long as the run.
    unsafe { &*(*vm.cast::<Thread>()).state }.borrow_mut()
}

/// The release and VPP's data, which do not change while the host runs.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn vpp(vm: *mut vlib_main_t) -> (&'static Release, &'static Exports) {
    // SAFETY: by contract.
    let st = unsafe { state(vm) };
    (st.release, st.exports)
}

/// The node with an index.
///
/// # Safety
/// `vm` is the host's and `index` is in range.
pub(crate) unsafe fn node(vm: *mut vlib_main_t, index: u32) -> *mut vlib_node_t {
    // SAFETY: by contract.
    unsafe { *(*vm).node_main.nodes.add(index as usize) }
}

/// The runtime of a node.
///
/// # Safety
/// As for [`node`].
pub(crate) unsafe fn runtime(vm: *mut vlib_main_t, index: u32) -> *mut vlib_node_runtime_t {
    // SAFETY: by contract; `graph::register` sets type and runtime index.
    unsafe {
        let n = node(vm, index);
        (*vm).node_main.nodes_by_type[(*n).r#type as usize].add((*n).runtime_index as usize)
    }
}

/// The next frame of a node's runtime.
///
/// # Safety
/// `vm` and `rt` are the host's, `next` is below `n_next_nodes`.
pub(crate) unsafe fn next_frame(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    next: u32,
) -> *mut vlib_next_frame_t {
    // SAFETY: by contract.
    unsafe { (*vm).node_main.next_frames.add(((*rt).next_frame_index + next) as usize) }
}

/// How many nodes there are.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn n_nodes(vm: *mut vlib_main_t) -> u32 {
    // SAFETY: by contract.
    unsafe { vec_len((*vm).node_main.nodes) as u32 }
}

impl Thread {
    /// Zeroed, with the host's state behind it.
    pub(crate) fn new(state: State) -> *mut Thread {
        assert!(state.release.vlib_main_size <= MAIN_BYTES, "vlib_main_t outgrew its room");
        let thread = crate::vec::zeroed(size_of::<Thread>()).cast::<Thread>();
        // SAFETY: `thread` is zeroed and large enough; zero is a value of every field.
        unsafe { (*thread).state = Box::into_raw(Box::new(RefCell::new(state))) };
        thread
    }
}
