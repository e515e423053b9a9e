//! Where packets end that nobody wants: `error-drop` and `error-punt`, then `drop` and `punt`
//! (`vlib/drop.c`, `vnet/interface_output.c`).

use vppkit_sys::vlib::buffer::VLIB_BUFFER_IS_TRACED;
use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{VLIB_NODE_FLAG_TRACE, vlib_node_runtime_t};
use vppkit_sys::vppinfra::vec::vec_len;

use super::{INTERFACE, INTERFACE_NAME, opaque};
use crate::frames::{enqueue_to_single_next, vectors};
use crate::log::c_text;
use crate::state::{State, state};
use crate::vm::Vm;
use crate::{buffers, counters, sanitize, trace, vec};

/// The reasons' texts, for trace records.
pub(crate) type Cache = Vec<String>;

/// Keeps the texts of all reasons. Called before the graph runs.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn cache_texts(vm: *mut vlib_main_t) {
    // SAFETY: by contract; descriptions are C strings.
    unsafe {
        let errors = vec::slice((*vm).error_main.counters_heap);
        let nodes = vec::slice((*vm).node_main.node_by_error);
        let mut st = state(vm);
        st.drop_errors =
            errors.iter().zip(nodes).map(|(e, &n)| format!("{}: {}", st.name(n), c_text(e.desc))).collect();
    }
}

/// What `error-drop` and `error-punt` record: the interface.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
unsafe fn pass_on(vm: *mut vlib_main_t, rt: *mut vlib_node_runtime_t, frame: *mut vlib_frame_t) -> usize {
    // SAFETY: as for a node's function.
    unsafe {
        let n = usize::from((*frame).n_vectors);
        if (*rt).flags & VLIB_NODE_FLAG_TRACE != 0 {
            for i in 0..n {
                let b = buffers::get(vm, *vectors(frame).add(i));
                if (*b).flags & VLIB_BUFFER_IS_TRACED != 0 {
                    let record = trace::add_trace(vm, rt, b.cast(), 4).cast::<u32>();
                    record.write((*opaque(b)).sw_if_index[0]);
                }
            }
        }
        let mut next = 0;
        // The arc of the same name may have a feature.
        let arc = {
            let st = state(vm);
            let is_drop = st.name((*rt).node_index) == "error-drop";
            st.arcs.iter().position(|a| is_drop && a.name == "error-drop")
        };
        if let Some(arc) = arc
            && let Some((first, position)) = crate::features::start(vm, arc, INTERFACE)
        {
            next = first as u16;
            for i in 0..n {
                let b = buffers::get(vm, *vectors(frame).add(i));
                crate::features::set_position(vm, b, arc as u8, position);
            }
        }
        enqueue_to_single_next(vm, rt, vectors(frame), next, n as u32);
        n
    }
}

/// The function of `error-drop`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn error_drop(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function.
    unsafe { pass_on(vm, rt, frame) }
}

/// The function of `error-punt`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn error_punt(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function.
    unsafe { pass_on(vm, rt, frame) }
}

/// The function of `drop`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn drop(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function.
    unsafe { end(vm, rt, frame, false) }
}

/// The function of `punt`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn punt(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function. Nobody has asked for punted packets, so they are freed.
    unsafe { end(vm, rt, frame, true) }
}

/// Counts each packet under the reason in its buffer and frees it.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
unsafe fn end(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
    punted: bool,
) -> usize {
    // SAFETY: as for a node's function.
    unsafe {
        let n = usize::from((*frame).n_vectors);
        let indices = std::slice::from_raw_parts(vectors(frame), n);
        for &index in indices {
            let b = buffers::get(vm, index);
            let error = (*b).error;
            if (*b).flags & VLIB_BUFFER_IS_TRACED != 0 {
                trace::add_trace(vm, rt, b.cast(), 2).cast::<u16>().write(error);
            }
            counters::add(vm, error, 1);
            {
                let outcomes = &mut state(vm).outcomes;
                let reasons = if punted { &mut outcomes.punted } else { &mut outcomes.dropped };
                *reasons.entry(error).or_default() += 1;
            }
            sanitize::ended(Vm::new(vm), index);
        }
        debug_assert!(vec_len((*vm).error_main.counters) > 0, "the null node has a counter");
        buffers::free(vm, indices);
        n
    }
}

pub(crate) fn format_interface(_: &State, record: &[u8]) -> String {
    match record.get(..4).map(|r| u32::from_ne_bytes([r[0], r[1], r[2], r[3]])) {
        Some(INTERFACE) => format!("rx:{INTERFACE_NAME}"),
        Some(0) => "rx:local0".into(),
        Some(other) => format!("rx:sw_if_index {other}"),
        None => String::new(),
    }
}

pub(crate) fn format_error(st: &State, record: &[u8]) -> String {
    let error = record.get(..2).map_or(0, |r| u16::from_ne_bytes([r[0], r[1]]));
    st.drop_errors.get(usize::from(error)).cloned().unwrap_or_default()
}
