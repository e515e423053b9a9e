//! `vlib/trace.h`: the packet tracer.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::c_void;

use crate::mirror::mirror;

mirror! {
    /// Heads each trace record; the record's data follows.
    struct vlib_trace_header_t: 8, size 16 {
        time: u64 = 0,
        node_index: u32 = 8,
        /// Size of the record, in units of this header.
        n_data: u32 = 12,
        data: [u8; 0] = 16,
    }

    /// How many packets of one input node are traced.
    struct vlib_trace_node_t: 4, size 8 {
        count: u32 = 0,
        limit: u32 = 4,
    }

    /// The tracer of one thread.
    struct vlib_trace_main_t: 8, size 72 {
        /// A pool; each element is a vector of headers and records.
        trace_buffer_pool: *mut *mut vlib_trace_header_t = 0,
        last_main_loop_count: u32 = 8,
        filter_node_index: u32 = 12,
        filter_flag: u32 = 16,
        filter_count: u32 = 20,
        trace_enable: u32 = 24,
        nodes: *mut vlib_trace_node_t = 32,
        verbose: i32 = 40,
        trace_buffer_callback: *mut c_void = 48,
        add_trace_callback: *mut c_void = 56,
        current_trace_filter_function: *mut c_void = 64,
    }
}

/// Size of the record that all untraced packets share, in bytes; VPP does not check that a record fits.
///
/// No header has it: `vlib/trace.c` allocates `vnet_trace_placeholder` with that many bytes.
pub const VNET_TRACE_PLACEHOLDER_SIZE: usize = 2048;
