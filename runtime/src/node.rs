//! What a node is, and what its function is given beside the packet.

use core::ffi::CStr;
use core::marker::PhantomData;
use core::ptr::NonNull;

use vppkit_sys::symbols::VPP;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;

use crate::error::NodeErrors;
use crate::feature::Placement;
use crate::next::NextNodes;
use crate::packet::Packet;
use crate::trace::{IntoTrace, Trace};
use crate::verdict::{IntoDrop, Verdict};

/// A node of the graph. `#[vlib_node]` implements it for a type with the name of the function; nothing else should.
pub trait Node: Sized + 'static {
    /// The node's name in the graph.
    const NAME: &'static CStr;
    /// Its next nodes.
    type Next: NextNodes;
    /// Its error counters.
    type Errors: NodeErrors;
    /// What it leaves in a packet's trace.
    type Trace: Trace;
    /// Whether it is on a feature arc: [`OnArc`](crate::OnArc) or [`NoArc`](crate::NoArc).
    type Placement: Placement;
}

/// A node whose function takes one packet at a time.
pub trait PacketNode: Node {
    /// The author's function.
    fn process(node: &mut NodeContext<'_, Self>, packet: &mut Packet<'_>) -> Verdict<Self>;
}

/// The node `N` during one call: `vlib_main_t` and `vlib_node_runtime_t` of the thread that it runs on.
pub struct NodeContext<'frame, N: Node> {
    vm: NonNull<vlib_main_t>,
    runtime: NonNull<vlib_node_runtime_t>,
    /// The frame has traced packets. A constant in each copy of the loop, so that tracing costs nothing when off.
    tracing: bool,
    frame: PhantomData<&'frame mut N>,
}

impl<N: Node> NodeContext<'_, N> {
    /// # Safety
    /// `vm` and `runtime` are what VPP gave to a node function of `N` that has not returned.
    #[inline(always)]
    pub(crate) unsafe fn new(
        vm: NonNull<vlib_main_t>,
        runtime: NonNull<vlib_node_runtime_t>,
        tracing: bool,
    ) -> Self {
        Self { vm, runtime, tracing, frame: PhantomData }
    }

    /// Adds `n` to a counter of this node, on this thread: `vlib_node_increment_counter`.
    ///
    /// A packet that is dropped with a reason is counted by VPP; this is for what else is worth counting. `show errors` and
    /// the stats segment add up what all threads counted. The counter has 64 bits and wraps.
    #[inline]
    pub fn count(&mut self, error: impl IntoDrop<N>, n: u64) {
        let code = usize::from(error.into_drop().code()).min(N::Errors::COUNTERS.len());
        // SAFETY: the runtime's `errors` has an entry for each counter that the node was registered with: its own
        // and one for panics behind them. Each entry is an index into this thread's counters.
        unsafe {
            let index = usize::from(*(*self.runtime.as_ptr()).errors.add(code));
            *(*self.vm.as_ptr()).error_main.counters.add(index) += n;
        }
    }

    /// Leaves a record in the packet's trace, if the packet is traced: `vlib_add_trace`.
    ///
    /// `record` is called only then.
    #[inline(always)]
    pub fn trace<T: IntoTrace<N>>(&mut self, packet: &Packet<'_>, record: impl FnOnce() -> T) {
        if self.tracing && packet.is_traced() {
            self.add_trace(packet, record().into_trace());
        }
    }

    #[cold]
    fn add_trace(&mut self, packet: &Packet<'_>, record: N::Trace) {
        let Some(vlib_add_trace) = VPP.vlib_add_trace.get() else { return };
        // SAFETY: the pointers are those of this call; the packet's buffer belongs to its frame. VPP returns room
        // for the size that it was asked for, or the shared placeholder, which `NodeDescriptor` has checked to be
        // large enough for `N::Trace`. Neither need be aligned for it.
        unsafe {
            let room = vlib_add_trace(
                self.vm.as_ptr(),
                self.runtime.as_ptr(),
                packet.buffer(),
                size_of::<N::Trace>() as u32,
            );
            room.cast::<N::Trace>().write_unaligned(record);
        }
    }

    /// The thread that the node runs on: 0 is the main thread, workers follow. `vlib_main_t::thread_index`.
    #[inline]
    pub fn thread_index(&self) -> u16 {
        // SAFETY: `vm` is valid during the call.
        unsafe { (*self.vm.as_ptr()).thread_index }
    }
}

impl<N: Node> core::fmt::Debug for NodeContext<'_, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("NodeContext").field("node", &N::NAME).field("thread", &self.thread_index()).finish()
    }
}
