//! The main loop: input nodes, then frames until none waits (`vlib/main.c`).

use vppkit_sys::vlib::frame::{
    VLIB_FRAME_FREE_AFTER_DISPATCH, VLIB_FRAME_IS_ALLOCATED, VLIB_FRAME_NO_APPEND, VLIB_FRAME_PENDING,
    VLIB_FRAME_TRACE, VLIB_PENDING_FRAME_NO_NEXT_FRAME,
};
use vppkit_sys::vlib::node::{
    VLIB_NODE_FLAG_TRACE, VLIB_NODE_STATE_POLLING, VLIB_NODE_TYPE_INPUT, VLIB_NODE_TYPE_INTERNAL,
    VLIB_NODE_TYPE_PRE_INPUT,
};

use crate::sanitize::{self, ViolationKind};
use crate::state::Guard;
use crate::vm::{Frame, Runtime, Vm};
use crate::{clock, frames, graph};

/// `VLIB_NODE_FLAG_FRAME_NO_FREE_AFTER_DISPATCH`.
const FLAG_NO_FREE: u16 = 1 << 0;
/// `enum vlib_node_dispatch_reason_t`: the node is polled, or a frame waits for it.
const REASON_POLLING: u8 = 2;
const REASON_FRAME: u8 = 4;

/// Runs one turn of the main loop and tells how many vectors nodes handled.
///
/// # Safety
/// The graph is connected, and the plugins whose nodes are in it are loaded.
pub(crate) unsafe fn main_loop_once(vm: Vm) -> u64 {
    let mut handled = 0;
    let mut now = clock::now();
    for r#type in [VLIB_NODE_TYPE_PRE_INPUT, VLIB_NODE_TYPE_INPUT] {
        for i in 0..vm.n_runtimes(r#type as usize) {
            let rt = vm.runtime_at(r#type as usize, i);
            if rt.state() == VLIB_NODE_STATE_POLLING {
                // SAFETY: by contract.
                let (after, n) = unsafe { dispatch_node(vm, rt, None, now) };
                (now, handled) = (after, handled + n);
            }
        }
    }
    // Dispatching a frame may add more at the end.
    let mut at = 0;
    while at < vm.n_pending() {
        // SAFETY: by contract.
        let (after, n) = unsafe { dispatch_pending(vm, at, now) };
        (now, handled) = (after, handled + n);
        at += 1;
    }
    vm.clear_pending();
    vm.set_main_loop_count(vm.main_loop_count().wrapping_add(1));
    handled
}

/// Calls a node's function, and keeps its counts. Gives the time and how many vectors the node handled.
///
/// # Safety
/// As for [`main_loop_once`]; `frame` is for this node.
unsafe fn dispatch_node(vm: Vm, rt: Runtime, frame: Option<Frame>, last: u64) -> (u64, u64) {
    if rt.input_main_loops_per_call() > 0 && frame.is_none() {
        rt.set_input_main_loops_per_call(rt.input_main_loops_per_call() - 1);
        return (last, 0);
    }
    vm.set_cpu_time_last_node_dispatch(last);
    rt.set_dispatch_reason(if frame.is_none() { REASON_POLLING } else { REASON_FRAME });
    let index = rt.node_index();
    let Some(function) = rt.function() else { return (last, 0) };
    let before = std::mem::replace(&mut vm.state().current, index);
    let argument = frame.map_or(std::ptr::null_mut(), Frame::ptr);
    // SAFETY: by contract; these are the arguments that VPP passes. Nothing of the host's state is borrowed.
    let n = unsafe { function(vm.ptr(), rt.ptr(), argument) } as u64;
    let now = clock::now();
    vm.state().current = before;
    if vm.state().ledger.is_some() {
        check_guard(vm, index);
    }
    vm.set_main_loop_vectors_processed(vm.main_loop_vectors_processed().wrapping_add(n as u32));
    vm.set_main_loop_nodes_processed(vm.main_loop_nodes_processed().wrapping_add(u32::from(n > 0)));
    count(vm, vm.runtime(index), n, now.wrapping_sub(last));
    (now, n)
}

/// Adds a call to the 32-bit counts of a runtime; moves them to the node before they overflow.
fn count(vm: Vm, rt: Runtime, vectors: u64, clocks: u64) {
    let (v, c) = (vectors as u32, u32::try_from(clocks).unwrap_or(u32::MAX));
    if c >= rt.max_clock() {
        rt.set_max_clock(c);
        rt.set_max_clock_n(v);
    }
    let next = (
        rt.calls_since_last_overflow().checked_add(1),
        rt.vectors_since_last_overflow().checked_add(v),
        rt.clocks_since_last_overflow().checked_add(c),
    );
    let (calls, vectors, clocks) = if let (Some(calls), Some(vectors), Some(clocks)) = next {
        (calls, vectors, clocks)
    } else {
        graph::sync_stats(vm, rt.node_index());
        (1, v, c)
    };
    rt.set_calls_since_last_overflow(calls);
    rt.set_vectors_since_last_overflow(vectors);
    rt.set_clocks_since_last_overflow(clocks);
    rt.set_main_loop_count_last_dispatch(vm.main_loop_count());
}

/// Dispatches a frame that waits.
///
/// # Safety
/// As for [`main_loop_once`].
unsafe fn dispatch_pending(vm: Vm, at: usize, last: u64) -> (u64, u64) {
    let pending = vm.pending(at);
    let rt = vm.runtime_at(VLIB_NODE_TYPE_INTERNAL as usize, pending.node_runtime_index() as usize);
    let index = rt.node_index();
    let frame = pending.frame();
    let next_frame = (pending.next_frame_index() != VLIB_PENDING_FRAME_NO_NEXT_FRAME)
        .then(|| vm.next_frame_at(pending.next_frame_index() as usize));

    // Whoever enqueues to this node while it runs gets another frame.
    let mut restore = false;
    if let Some(nf) = next_frame
        && nf.frame().is_some_and(|f| f.is(frame))
    {
        nf.set_frame(None);
        nf.clear(VLIB_FRAME_IS_ALLOCATED);
        restore = rt.flags() & FLAG_NO_FREE == 0;
    }
    let traced = next_frame.map_or(frame.has(VLIB_FRAME_TRACE), |nf| nf.has(VLIB_FRAME_TRACE));
    rt.set_flags(rt.flags() & !VLIB_NODE_FLAG_TRACE | if traced { VLIB_NODE_FLAG_TRACE } else { 0 });
    if let Some(nf) = next_frame {
        nf.clear(VLIB_FRAME_TRACE);
    }

    let n_vectors = received(vm, index, frame);
    let (now, n) = if n_vectors > 0 {
        // SAFETY: by contract; the frame waited for this node.
        unsafe { dispatch_node(vm, rt, Some(frame), last) }
    } else {
        (last, 0)
    };
    vm.set_internal_node_vectors(vm.internal_node_vectors() + u64::from(n_vectors));
    vm.set_internal_node_calls(vm.internal_node_calls() + 1);
    let most = vm.internal_node_last_vectors_per_main_loop().max(u32::from(n_vectors));
    vm.set_internal_node_last_vectors_per_main_loop(most);
    frame.clear(VLIB_FRAME_PENDING | VLIB_FRAME_NO_APPEND);

    if restore {
        // The node may have added next frames before this one: then the pending frame says where it is now.
        let nf = vm.next_frame_at(pending.next_frame_index() as usize);
        nf.set(VLIB_FRAME_IS_ALLOCATED);
        if nf.frame().is_none() {
            nf.set_frame(Some(frame));
            frame.set_n_vectors(0);
            frame.set_flags(0);
        } else {
            frames::free(vm, frame);
        }
    } else if frame.has(VLIB_FRAME_FREE_AFTER_DISPATCH) {
        frames::free(vm, frame);
    }
    (now, n)
}

/// Shows the ledger a frame that is about to be dispatched, and gives how many vectors it has then.
fn received(vm: Vm, node: u32, frame: Frame) -> u16 {
    if vm.state().ledger.is_some() {
        let (mut indices, n) = frame.read(0, usize::from(frame.n_vectors()));
        let kept = sanitize::received(vm, node, &mut indices[..n]);
        frame.write(0, &indices[..kept]);
        frame.set_n_vectors(kept as u16);
    }
    frame.n_vectors()
}

/// What follows a node's runtime data in memory is the next runtime: did the node write there?
fn check_guard(vm: Vm, index: u32) {
    let (r#type, at) = {
        let n = vm.node(index);
        (n.r#type() as usize, n.runtime_index() as usize + 1)
    };
    let written = if at < vm.n_runtimes(r#type) {
        let rt = vm.runtime_at(r#type, at);
        let is_there = |node: u32| {
            let n = vm.node(node);
            n.r#type() as usize == r#type && n.runtime_index() as usize == at
        };
        // Its own node index, unless that was overwritten too.
        let own = rt.node_index();
        let neighbour = if own < vm.n_nodes() && is_there(own) {
            Some(own)
        } else {
            (0..vm.n_nodes()).find(|&n| is_there(n))
        };
        neighbour.is_some_and(|n| {
            let Guard { function, errors } = vm.state().nodes[n as usize].guard;
            let same =
                rt.function().map(|f| f as usize) == function.map(|f| f as usize) && rt.errors() == errors;
            if !same {
                rt.set_function(function);
                rt.set_errors(errors);
            }
            !same
        })
    } else {
        vm.runtime_at(r#type, at - 1).slack_was_written()
    };
    if written {
        vm.state().faults.add(ViolationKind::RuntimeData, index, || {
            "wrote behind its 56 bytes of runtime data, into the next node's runtime".into()
        });
    }
}
