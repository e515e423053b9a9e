//! The main loop: input nodes, then frames until none waits (`vlib/main.c`).

use vppkit_sys::vlib::frame::{
    VLIB_FRAME_FREE_AFTER_DISPATCH, VLIB_FRAME_IS_ALLOCATED, VLIB_FRAME_NO_APPEND, VLIB_FRAME_PENDING,
    VLIB_FRAME_TRACE, VLIB_PENDING_FRAME_NO_NEXT_FRAME, vlib_frame_t, vlib_next_frame_t,
};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{
    VLIB_NODE_FLAG_TRACE, VLIB_NODE_STATE_POLLING, VLIB_NODE_TYPE_INPUT, VLIB_NODE_TYPE_INTERNAL,
    VLIB_NODE_TYPE_PRE_INPUT, vlib_node_runtime_t,
};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::clock;
use crate::frames::{frame_free, vectors};
use crate::sanitize::{self, ViolationKind};
use crate::state::{Guard, NO_NODE, state};
use crate::vec;

/// `VLIB_NODE_FLAG_FRAME_NO_FREE_AFTER_DISPATCH`.
const FLAG_NO_FREE: u16 = 1 << 0;

/// Runs one turn of the main loop and tells how many vectors nodes handled.
///
/// # Safety
/// `vm` is the host's, its graph is connected, and its plugins are loaded.
pub(crate) unsafe fn main_loop_once(vm: *mut vlib_main_t) -> u64 {
    // SAFETY: by contract. Nodes may add to the vectors, so each step looks their address up again.
    unsafe {
        let mut handled = 0;
        let mut now = clock::now();
        for r#type in [VLIB_NODE_TYPE_PRE_INPUT, VLIB_NODE_TYPE_INPUT] {
            for i in 0..vec_len((*vm).node_main.nodes_by_type[r#type as usize]) {
                let rt = (*vm).node_main.nodes_by_type[r#type as usize].add(i);
                if (*rt).state == VLIB_NODE_STATE_POLLING {
                    let n;
                    (now, n) = dispatch_node(vm, rt, std::ptr::null_mut(), now);
                    handled += n;
                }
            }
        }
        // Dispatching a frame may add more at the end.
        let mut at = 0;
        while at < vec_len((*vm).node_main.pending_frames) {
            let n;
            (now, n) = dispatch_pending(vm, at, now);
            handled += n;
            at += 1;
        }
        vec::resize(&raw mut (*vm).node_main.pending_frames, 0);
        (*vm).main_loop_count = (*vm).main_loop_count.wrapping_add(1);
        handled
    }
}

/// Calls a node's function, and keeps its counts.
unsafe fn dispatch_node(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
    last: u64,
) -> (u64, u64) {
    // SAFETY: as for `main_loop_once`.
    unsafe {
        if (*rt).input_main_loops_per_call > 0 && frame.is_null() {
            (*rt).input_main_loops_per_call -= 1;
            return (last, 0);
        }
        (*vm).cpu_time_last_node_dispatch = last;
        // enum vlib_node_dispatch_reason_t: a pending frame is 4, polling 2.
        (*rt).dispatch_reason = if frame.is_null() { 2 } else { 4 };
        let index = (*rt).node_index;
        let Some(function) = (*rt).function else { return (last, 0) };
        let before = std::mem::replace(&mut state(vm).current, index);
        let n = function(vm, rt, frame) as u64;
        let now = clock::now();
        state(vm).current = before;
        if state(vm).ledger.is_some() {
            check_guard(vm, index);
        }
        let rt = crate::state::runtime(vm, index);
        (*vm).main_loop_vectors_processed = (*vm).main_loop_vectors_processed.wrapping_add(n as u32);
        (*vm).main_loop_nodes_processed = (*vm).main_loop_nodes_processed.wrapping_add(u32::from(n > 0));
        count(vm, rt, n, now.wrapping_sub(last));
        (now, n)
    }
}

/// Adds a call to the 32-bit counts of a runtime; moves them to the node before they overflow.
unsafe fn count(vm: *mut vlib_main_t, rt: *mut vlib_node_runtime_t, vectors: u64, clocks: u64) {
    // SAFETY: as for `main_loop_once`.
    unsafe {
        let (v, c) = (vectors as u32, u32::try_from(clocks).unwrap_or(u32::MAX));
        if c >= (*rt).max_clock {
            (*rt).max_clock = c;
            (*rt).max_clock_n = v;
        }
        let next = (
            (*rt).calls_since_last_overflow.checked_add(1),
            (*rt).vectors_since_last_overflow.checked_add(v),
            (*rt).clocks_since_last_overflow.checked_add(c),
        );
        if let (Some(calls), Some(vectors), Some(clocks)) = next {
            (*rt).calls_since_last_overflow = calls;
            (*rt).vectors_since_last_overflow = vectors;
            (*rt).clocks_since_last_overflow = clocks;
        } else {
            crate::graph::sync_stats(vm, (*rt).node_index);
            (*rt).calls_since_last_overflow = 1;
            (*rt).vectors_since_last_overflow = v;
            (*rt).clocks_since_last_overflow = c;
        }
        (*rt).main_loop_count_last_dispatch = (*vm).main_loop_count;
    }
}

/// Dispatches a frame that waits.
unsafe fn dispatch_pending(vm: *mut vlib_main_t, at: usize, last: u64) -> (u64, u64) {
    // SAFETY: as for `main_loop_once`.
    unsafe {
        let nm = &raw mut (*vm).node_main;
        let pending = (*nm).pending_frames.add(at);
        let rt =
            (*nm).nodes_by_type[VLIB_NODE_TYPE_INTERNAL as usize].add((*pending).node_runtime_index as usize);
        let index = (*rt).node_index;
        let frame = (*pending).frame;
        let mut alone = vlib_next_frame_t {
            frame: std::ptr::null_mut(),
            node_runtime_index: 0,
            flags: u32::from((*frame).frame_flags & VLIB_FRAME_TRACE),
            vectors_since_last_overflow: 0,
        };
        let nf = if (*pending).next_frame_index == VLIB_PENDING_FRAME_NO_NEXT_FRAME {
            &raw mut alone
        } else {
            (*nm).next_frames.add((*pending).next_frame_index as usize)
        };

        // Whoever enqueues to this node while it runs gets another frame.
        let mut restore = false;
        if (*nf).frame == frame {
            (*nf).frame = std::ptr::null_mut();
            (*nf).flags &= !u32::from(VLIB_FRAME_IS_ALLOCATED);
            restore = (*rt).flags & FLAG_NO_FREE == 0;
        }
        let traced = (*nf).flags & u32::from(VLIB_FRAME_TRACE) != 0;
        (*rt).flags &= !VLIB_NODE_FLAG_TRACE;
        if traced {
            (*rt).flags |= VLIB_NODE_FLAG_TRACE;
        }
        (*nf).flags &= !u32::from(VLIB_FRAME_TRACE);

        let indices = std::slice::from_raw_parts_mut(vectors(frame), usize::from((*frame).n_vectors));
        (*frame).n_vectors = sanitize::received(vm, index, indices) as u16;
        let n_vectors = (*frame).n_vectors;
        let (now, n) = if n_vectors > 0 { dispatch_node(vm, rt, frame, last) } else { (last, 0) };
        (*vm).internal_node_vectors += u64::from(n_vectors);
        (*vm).internal_node_calls += 1;
        let most = &raw mut (*vm).internal_node_last_vectors_per_main_loop;
        *most = (*most).max(u32::from(n_vectors));
        (*frame).frame_flags &= !(VLIB_FRAME_PENDING | VLIB_FRAME_NO_APPEND);

        if restore {
            // The node may have moved its next frames, and `pending_frames` itself.
            let pending = (*nm).pending_frames.add(at);
            let nf = (*nm).next_frames.add((*pending).next_frame_index as usize);
            (*nf).flags |= u32::from(VLIB_FRAME_IS_ALLOCATED);
            if (*nf).frame.is_null() {
                (*nf).frame = frame;
                (*frame).n_vectors = 0;
                (*frame).flags = 0;
            } else {
                frame_free(vm, frame);
            }
        } else if (*frame).frame_flags & VLIB_FRAME_FREE_AFTER_DISPATCH != 0 {
            frame_free(vm, frame);
        }
        (now, n)
    }
}

/// What follows a node's runtime data in memory is the next runtime: did the node write there?
unsafe fn check_guard(vm: *mut vlib_main_t, index: u32) {
    // SAFETY: as for `main_loop_once`; the vector has slack of zeroes behind its last element.
    unsafe {
        let n = crate::state::node(vm, index);
        let r#type = (*n).r#type as usize;
        let at = (*n).runtime_index as usize + 1;
        let runtimes = (*vm).node_main.nodes_by_type[r#type];
        let written = if at < vec_len(runtimes) {
            let rt = runtimes.add(at);
            // Its own node index, unless that was overwritten too.
            let own = (*rt).node_index;
            let is_own = own < crate::state::n_nodes(vm) && {
                let n = crate::state::node(vm, own);
                (*n).r#type as usize == r#type && (*n).runtime_index as usize == at
            };
            let neighbour = if is_own { own } else { neighbour(vm, r#type, at) };
            let Guard { function, errors } = state(vm).nodes[neighbour as usize].guard;
            let same =
                (*rt).function.map(|f| f as usize) == function.map(|f| f as usize) && (*rt).errors == errors;
            if !same {
                (*rt).function = function;
                (*rt).errors = errors;
            }
            !same
        } else {
            let slack = runtimes.add(at).cast::<[u8; 32]>();
            let written = (*slack).iter().any(|&b| b != 0);
            if written {
                slack.write([0; 32]);
            }
            written
        };
        if written {
            state(vm).faults.add(ViolationKind::RuntimeData, index, || {
                "wrote behind its 56 bytes of runtime data, into the next node's runtime".into()
            });
        }
    }
}

/// The node whose runtime is at an index of its type's vector.
unsafe fn neighbour(vm: *mut vlib_main_t, r#type: usize, at: usize) -> u32 {
    // SAFETY: as for `main_loop_once`.
    unsafe {
        vec::slice((*vm).node_main.nodes)
            .iter()
            .position(|&n| (*n).r#type as usize == r#type && (*n).runtime_index as usize == at)
            .map_or(NO_NODE, |i| i as u32)
    }
}
