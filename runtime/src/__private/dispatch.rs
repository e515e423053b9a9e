//! The node function that VPP calls, for nodes that take one packet at a time.

use core::mem::MaybeUninit;
use core::ptr::NonNull;

use vppkit_sys::symbols::VPP;
use vppkit_sys::uword;
use vppkit_sys::vlib::buffer::vlib_buffer_t;
use vppkit_sys::vlib::frame::{VLIB_FRAME_SIZE, vlib_frame_t};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{VLIB_NODE_FLAG_TRACE, vlib_node_runtime_t};

use crate::__private::arc::{Step, with_step};
use crate::__private::buffer_memory::BufferMemory;
use crate::__private::contain::{self, Progress};
use crate::__private::march::IsaClone;
use crate::error::NodeErrors;
use crate::feature::Placement as _;
use crate::next::NextNodes;
use crate::node::{NodeContext, PacketNode};
use crate::packet::Packet;
use crate::verdict::{Verdict, drop_index};

/// The next index of each packet of a frame.
///
/// VPP's enqueue reads up to 63 elements past the count, so there is always room for a whole frame.
#[repr(C, align(64))]
pub(crate) struct Nexts([MaybeUninit<u16>; VLIB_FRAME_SIZE]);

/// One call of a node: the frame and what has been decided so far.
pub struct Call {
    pub(crate) vm: NonNull<vlib_main_t>,
    pub(crate) runtime: NonNull<vlib_node_runtime_t>,
    /// The buffer indices of the frame.
    pub(crate) buffers: *mut u32,
    /// How many there are, at most [`VLIB_FRAME_SIZE`].
    pub(crate) count: usize,
    pub(crate) nexts: Nexts,
    /// How many packets have a next index. All, unless the node panicked.
    pub(crate) done: usize,
}

/// The node function of `N`: a `vlib_node_function_t`.
///
/// # Safety
/// VPP calls it with its own pointers, on a thread that runs the graph.
pub(crate) unsafe extern "C" fn packet_node<N: PacketNode>(
    vm: *mut vlib_main_t,
    runtime: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> uword {
    // SAFETY: the caller's promise.
    unsafe { run::<N>(vm, runtime, frame, decide::<N>) }
}

/// The node function of a clone of `N`.
///
/// # Safety
/// As [`packet_node`], on a processor that has the clone's features.
pub(crate) unsafe extern "C" fn packet_node_clone<N: PacketNode, C: IsaClone<N>>(
    vm: *mut vlib_main_t,
    runtime: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> uword {
    // SAFETY: the caller's promise.
    unsafe { run::<N>(vm, runtime, frame, |call| C::decide(call)) }
}

/// # Safety
/// VPP gave the pointers to a node function of `N` that has not returned.
#[inline(always)]
unsafe fn run<N: PacketNode>(
    vm: *mut vlib_main_t,
    runtime: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
    decide: impl FnOnce(&mut Call) -> Option<u16>,
) -> uword {
    let (Some(vm), Some(runtime)) = (NonNull::new(vm), NonNull::new(runtime)) else { return 0 };
    // SAFETY: VPP gives a frame with `n_vectors` buffer indices at `vector_offset`; it is this node's until it returns.
    let (buffers, count, flags) = unsafe {
        let buffers = frame.byte_add(usize::from((*frame).vector_offset)).cast::<u32>();
        (buffers, usize::from((*frame).n_vectors), (*runtime.as_ptr()).flags)
    };
    let mut call = Call {
        vm,
        runtime,
        buffers,
        count: count.min(VLIB_FRAME_SIZE),
        nexts: Nexts([MaybeUninit::uninit(); VLIB_FRAME_SIZE]),
        done: 0,
    };
    let single = if flags & VLIB_NODE_FLAG_TRACE != 0 {
        contain::run(&mut call, decide_traced::<N>)
    } else {
        contain::run(&mut call, decide)
    };
    if single.is_none() && call.done < call.count {
        contain::drop_rest::<N>(&mut call);
    }
    enqueue(&mut call, single);
    call.count
}

/// Decides for each packet of the frame. Returns the next index that all share, if they do.
///
/// Always inlined: in a clone it is compiled with the clone's features.
#[inline(always)]
pub fn decide<N: PacketNode>(call: &mut Call) -> Option<u16> {
    with_step!(N, step => packet_loop::<N, _, false>(call, step))
}

/// The same for a frame with traced packets; compiled apart, so that the other need not ask.
#[cold]
fn decide_traced<N: PacketNode>(call: &mut Call) -> Option<u16> {
    with_step!(N, step => packet_loop::<N, _, true>(call, step))
}

/// The loop. What does not change during a frame is in locals: stores into packets would make the compiler read it
/// again after each packet.
#[inline(always)]
fn packet_loop<N: PacketNode, S: Step, const TRACE: bool>(call: &mut Call, step: S) -> Option<u16> {
    let Call { vm, runtime, buffers, count, ref mut nexts, ref mut done } = *call;
    // SAFETY: `vm` and `runtime` are those of this call; neither changes where these point while it runs.
    let (memory, errors) = unsafe { (BufferMemory::of(vm), (*runtime.as_ptr()).errors.cast_const()) };
    // SAFETY: they are VPP's for a node function of `N`.
    let mut node = unsafe { NodeContext::<N>::new(vm, runtime, TRACE) };
    let mut progress = Progress::new(done);
    let mut first = 0;
    let mut differences = 0;

    while progress.at < count {
        let at = progress.at;
        // SAFETY: `at` is below the count of buffer indices.
        let buffer = unsafe { memory.buffer(*buffers.add(at)) };
        // SAFETY: the buffer is of the frame; if the node is on an arc, VPP calls it with packets that came along it.
        let along_arc = unsafe { step.advance(buffer.as_ptr()) };
        // SAFETY: the buffer is of the frame, and the only packet made of it is this one.
        let mut packet = unsafe { Packet::new(vm, buffer) };
        let next = match N::process(&mut node, &mut packet) {
            // No such verdict from a node that is on no arc compiles, but for code that implements traits by hand.
            Verdict::NextFeature if N::Placement::ON_ARC => along_arc,
            Verdict::NextFeature => const { drop_index::<N>() },
            Verdict::Next(next) => {
                // SAFETY: advanced above.
                unsafe { step.put_back(buffer.as_ptr()) };
                own_next::<N>(next)
            }
            Verdict::NextWithError(next, error) => {
                // SAFETY: advanced above; the buffer is of the frame.
                unsafe {
                    step.put_back(buffer.as_ptr());
                    set_error::<N>(buffer, errors, error);
                }
                own_next::<N>(next)
            }
            Verdict::Drop(error) => {
                // SAFETY: advanced above; the buffer is of the frame.
                unsafe {
                    step.put_back(buffer.as_ptr());
                    set_error::<N>(buffer, errors, error);
                }
                const { drop_index::<N>() }
            }
        };
        nexts.0[at].write(next);
        if at == 0 {
            first = next;
        }
        differences |= first ^ next;
        progress.at = at + 1;
    }
    (differences == 0).then_some(first)
}

/// The index of one of the node's own next nodes. The derive gives no other; any other drops the packet.
#[inline(always)]
fn own_next<N: PacketNode>(next: N::Next) -> u16 {
    let index = next.index();
    if usize::from(index) < N::Next::NAMES.len() { index } else { const { drop_index::<N>() } }
}

/// Writes a reason of the node's own into a packet.
///
/// # Safety
/// `buffer` is of the frame, `errors` is that of the node's runtime.
#[inline(always)]
unsafe fn set_error<N: PacketNode>(buffer: NonNull<vlib_buffer_t>, errors: *const u16, error: N::Errors) {
    let code = usize::from(error.code()).min(N::Errors::COUNTERS.len());
    // SAFETY: `errors` has an entry for each of the node's counters and one for panics.
    unsafe { (*buffer.as_ptr()).error = *errors.add(code) };
}

/// Enqueues the frame's packets: `vlib_buffer_enqueue_to_single_next` or `vlib_buffer_enqueue_to_next`.
fn enqueue(call: &mut Call, single: Option<u16>) {
    if call.count == 0 {
        return;
    }
    let (vm, runtime) = (call.vm.as_ptr(), call.runtime.as_ptr());
    // SAFETY: nodes run only after the symbols were resolved; VPP fills the functions in before any node runs. The
    // buffers are the frame's, each gets one next, and every next index below `count` is written.
    unsafe {
        let functions = &*VPP.vlib_buffer_func_main.get();
        match (single, functions.buffer_enqueue_to_single_next_fn, functions.buffer_enqueue_to_next_fn) {
            (Some(next), Some(enqueue), _) => enqueue(vm, runtime, call.buffers, next, call.count as u32),
            (None, _, Some(enqueue)) => {
                enqueue(vm, runtime, call.buffers, call.nexts.0.as_mut_ptr().cast(), call.count);
            }
            _ => unreachable!("VPP picks its enqueue functions before it runs a node"),
        }
    }
}

impl Call {
    /// The buffer at a place of the frame.
    pub(crate) fn buffer(&self, at: usize) -> *mut vlib_buffer_t {
        assert!(at < self.count);
        // SAFETY: `vm` is that of this call; `at` is below the count of buffer indices.
        unsafe { BufferMemory::of(self.vm).buffer(*self.buffers.add(at)).as_ptr() }
    }

    /// Decides for one packet.
    pub(crate) fn set_next(&mut self, at: usize, next: u16) {
        self.nexts.0[at].write(next);
    }
}

#[cfg(test)]
mod tests;
