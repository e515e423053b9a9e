//! The packet tracer (`vlib/trace.c`).

use std::ffi::c_void;

use vppkit_sys::vlib::buffer::{VLIB_BUFFER_IS_TRACED, VLIB_BUFFER_NEXT_PRESENT, vlib_buffer_t};
use vppkit_sys::vlib::frame::VLIB_FRAME_TRACE;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;
use vppkit_sys::vlib::trace::{VNET_TRACE_PLACEHOLDER_SIZE, vlib_trace_header_t};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::buffers;
use crate::sanitize::ViolationKind;
use crate::state::{NO_NODE, next_frame, node, state};
use crate::vec;

/// Longest record that fits the room that untraced packets share.
const MAX_RECORD: usize = VNET_TRACE_PLACEHOLDER_SIZE - size_of::<vlib_trace_header_t>();

/// What one node recorded of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceRecord {
    /// The node.
    pub node: String,
    /// What its `format_trace` says, without the indent of the first line.
    pub text: String,
    /// Clocks since the run began.
    pub clocks: u64,
}

/// What the nodes recorded of one packet.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The packet's index in the input, if it came from there.
    pub packet: Option<u64>,
    /// The records, in order.
    pub records: Vec<TraceRecord>,
}

impl Trace {
    /// The names of the nodes that recorded the packet, each once for each run of records.
    pub fn path(&self) -> Vec<&str> {
        let mut path: Vec<&str> = self.records.iter().map(|r| r.node.as_str()).collect();
        path.dedup();
        path
    }

    /// The record of a node.
    pub fn at(&self, node: &str) -> Option<&TraceRecord> {
        self.records.iter().find(|r| r.node == node)
    }
}

/// Prepares the tracer, and turns it on if packets of the input are to be traced.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn enable(vm: *mut vlib_main_t, on: bool) {
    // SAFETY: by contract.
    unsafe {
        let exports = state(vm).exports;
        vec::resize(exports.trace_placeholder, VNET_TRACE_PLACEHOLDER_SIZE);
        let tm = &raw mut (*vm).trace_main;
        (*tm).filter_node_index = NO_NODE;
        (*tm).trace_enable = u32::from(on);
    }
}

/// Marks a packet as traced: VPP's `vlib_trace_buffer`.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it with a next node `next`, `b` a buffer.
pub(crate) unsafe fn start(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    next: u32,
    b: *mut vlib_buffer_t,
) {
    // SAFETY: by contract.
    unsafe {
        (*next_frame(vm, rt, next)).flags |= u32::from(VLIB_FRAME_TRACE);
        let tm = &raw mut (*vm).trace_main;
        let at = vec::push(&raw mut (*tm).trace_buffer_pool, std::ptr::null_mut());
        let mut b = b;
        loop {
            (*b).flags |= VLIB_BUFFER_IS_TRACED;
            (*b).trace_handle = at as u32 & 0x00ff_ffff;
            if (*b).flags & VLIB_BUFFER_NEXT_PRESENT == 0 {
                break;
            }
            b = buffers::get(vm, (*b).next_buffer);
        }
    }
}

/// VPP's `vlib_add_trace`.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it, `b` a buffer.
pub(crate) unsafe extern "C" fn add_trace(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    b: *mut c_void,
    n_bytes: u32,
) -> *mut c_void {
    // SAFETY: nodes pass their own runtime and a buffer.
    unsafe {
        let b = b.cast::<vlib_buffer_t>();
        let n_bytes = n_bytes as usize;
        let mut st = state(vm);
        if n_bytes > MAX_RECORD {
            st.faults.add(ViolationKind::TraceRecord, (*rt).node_index, || {
                format!("asked for a trace record of {n_bytes} bytes; VPP has room for {MAX_RECORD} and does not check")
            });
            st.trace_scratch.resize(n_bytes.div_ceil(8), 0);
        }
        let tm = &raw mut (*vm).trace_main;
        let handle = ((*b).trace_handle & 0x00ff_ffff) as usize;
        let known = (*b).trace_handle >> 24 == 0 && handle < vec_len((*tm).trace_buffer_pool);
        if (*b).flags & VLIB_BUFFER_IS_TRACED == 0 || (*tm).trace_enable == 0 || !known {
            return if n_bytes > MAX_RECORD {
                st.trace_scratch.as_mut_ptr().cast()
            } else {
                (*st.exports.trace_placeholder).cast()
            };
        }
        let units = n_bytes.div_ceil(size_of::<vlib_trace_header_t>());
        let records = (*tm).trace_buffer_pool.add(handle);
        let at = vec_len(*records);
        vec::resize(records, at + 1 + units);
        let header = (*records).add(at);
        (*header).time = (*vm).cpu_time_last_node_dispatch;
        (*header).node_index = (*rt).node_index;
        (*header).n_data = units as u32;
        header.add(1).cast()
    }
}

/// Formats all traces with the nodes' own functions.
///
/// # Safety
/// `vm` is the host's and its plugins are still loaded.
pub(crate) unsafe fn collect(vm: *mut vlib_main_t) -> Vec<Trace> {
    // SAFETY: by contract; no reference to the state lives while a plugin's function runs.
    unsafe {
        let packets = std::mem::take(&mut state(vm).input.traced);
        let exports = state(vm).exports;
        let start = (*vm).cpu_time_main_loop_start;
        let mut traces = Vec::new();
        for i in 0..vec_len((*vm).trace_main.trace_buffer_pool) {
            let records = *(*vm).trace_main.trace_buffer_pool.add(i);
            let mut trace = Trace { packet: packets.get(i).copied(), records: Vec::new() };
            let mut at = 0;
            while at < vec_len(records) {
                let header = records.add(at);
                let data = header.add(1);
                let units = (*header).n_data as usize;
                let n = node(vm, (*header).node_index);
                let text = if let Some(format) = (*n).format_trace {
                    let mut v =
                        (exports.format_trace)(format as *mut c_void, vm.cast(), n.cast(), data.cast());
                    let text = vec::text(v);
                    vec::free(&raw mut v);
                    text.trim_start().to_owned()
                } else {
                    let bytes = std::slice::from_raw_parts(
                        data.cast::<u8>(),
                        units * size_of::<vlib_trace_header_t>(),
                    );
                    let st = state(vm);
                    match st.nodes[(*header).node_index as usize].format {
                        Some(format) => format(&st, bytes),
                        None => bytes.iter().map(|b| format!("{b:02x}")).collect(),
                    }
                };
                let name = state(vm).name((*header).node_index).to_owned();
                let clocks = (*header).time.wrapping_sub(start);
                trace.records.push(TraceRecord { node: name, text, clocks });
                at += 1 + units;
            }
            traces.push(trace);
        }
        traces
    }
}

/// Frees all traces.
///
/// # Safety
/// `vm` is the host's and no node runs any more.
pub(crate) unsafe fn destroy(vm: *mut vlib_main_t) {
    // SAFETY: by contract.
    unsafe {
        let tm = &raw mut (*vm).trace_main;
        for i in 0..vec_len((*tm).trace_buffer_pool) {
            vec::free((*tm).trace_buffer_pool.add(i));
        }
        vec::free(&raw mut (*tm).trace_buffer_pool);
        vec::free(&raw mut (*tm).nodes);
        vec::free(state(vm).exports.trace_placeholder);
    }
}
