//! `vlib/node.h`: nodes, their registration and their state per thread.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::{c_char, c_void};

use crate::constants::constants;
use crate::mirror::mirror;
use crate::uword;
use crate::vlib::error::{vlib_error_desc_t, vlib_error_t};
use crate::vlib::frame::{vlib_frame_size_t, vlib_frame_t, vlib_next_frame_t, vlib_pending_frame_t};
use crate::vlib::main::vlib_main_t;

/// A node function: takes a frame, says how many packets it handled.
pub type vlib_node_function_t = unsafe extern "C" fn(
    vm: *mut vlib_main_t,
    node: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> uword;

/// A format function: appends to the vector `s` and returns it. `args` points to a `va_list`.
pub type format_function_t = unsafe extern "C" fn(s: *mut u8, args: *mut c_void) -> *mut u8;

mirror! {
    /// What a plugin says of a node. The names of the next nodes follow in memory.
    struct vlib_node_registration_t: 8, size 128 {
        function: Option<vlib_node_function_t> = 0,
        node_fn_registrations: *mut vlib_node_fn_registration_t = 8,
        name: *const c_char = 16,
        sibling_of: *const c_char = 24,
        /// Filled in by VPP.
        index: u32 = 32,
        /// `VLIB_NODE_TYPE_*`.
        r#type: u32 = 36,
        error_strings: *const *const c_char = 40,
        error_counters: *mut vlib_error_desc_t = 48,
        format_buffer: Option<format_function_t> = 56,
        unformat_buffer: *mut c_void = 64,
        format_trace: Option<format_function_t> = 72,
        unformat_trace: *mut c_void = 80,
        validate_frame: *mut c_void = 88,
        runtime_data: *mut c_void = 96,
        process_log2_n_stack_bytes: u16 = 104,
        runtime_data_bytes: u8 = 106,
        /// `VLIB_NODE_STATE_*`.
        state: u8 = 107,
        /// `VLIB_NODE_FLAG_*`.
        flags: u16 = 108,
        protocol_hint: u8 = 110,
        /// Bytes of one element of a frame to this node; 4 for buffer indices.
        vector_size: u8 = 111,
        aux_size: u8 = 112,
        scalar_size: u16 = 114,
        n_errors: u16 = 116,
        n_next_nodes: u16 = 118,
        next_registration: *mut vlib_node_registration_t = 120,
        next_nodes: [*const c_char; 0] = 128,
    }

    /// One candidate for a node's function.
    struct vlib_node_fn_registration_t: 8, size 24 {
        function: Option<vlib_node_function_t> = 0,
        /// An index into [`vlib_node_main_t::variants`]; unchecked by VPP.
        march_variant: u32 = 8,
        next_registration: *mut vlib_node_fn_registration_t = 16,
    }

    /// A variant that VPP knows.
    struct vlib_node_fn_variant_t: 8, size 24 {
        index: u32 = 0,
        /// Negative if this CPU cannot run it.
        priority: i32 = 4,
        suffix: *mut c_char = 8,
        desc: *mut c_char = 16,
    }

    /// Counts of a node since VPP started.
    struct vlib_node_stats_t: 8, size 48 {
        calls: u64 = 0,
        vectors: u64 = 8,
        clocks: u64 = 16,
        suspends: u64 = 24,
        max_clock: u64 = 32,
        max_clock_n: u64 = 40,
    }

    /// A node of the graph.
    struct vlib_node_t: 8, size 296 {
        function: Option<vlib_node_function_t> = 0,
        name: *mut u8 = 8,
        name_elog_string: u32 = 16,
        stats_total: vlib_node_stats_t = 24,
        stats_last_clear: vlib_node_stats_t = 72,
        r#type: u32 = 120,
        index: u32 = 124,
        runtime_index: u32 = 128,
        runtime_data: *mut u8 = 136,
        flags: u16 = 144,
        state: u8 = 146,
        runtime_data_bytes: u8 = 147,
        protocol_hint: u8 = 148,
        n_errors: u16 = 150,
        frame_size: u16 = 152,
        scalar_offset: u16 = 154,
        vector_offset: u16 = 156,
        magic_offset: u16 = 158,
        aux_offset: u16 = 160,
        frame_size_index: u16 = 162,
        error_heap_handle: u32 = 164,
        error_heap_index: u32 = 168,
        error_counters: *mut vlib_error_desc_t = 176,
        next_node_names: *mut *mut c_char = 184,
        next_nodes: *mut u32 = 192,
        sibling_of: *const c_char = 200,
        sibling_bitmap: *mut uword = 208,
        n_vectors_by_next_node: *mut u64 = 216,
        next_slot_by_node: *mut uword = 224,
        prev_node_bitmap: *mut uword = 232,
        owner_node_index: u32 = 240,
        owner_next_index: u32 = 244,
        format_buffer: Option<format_function_t> = 248,
        unformat_buffer: *mut c_void = 256,
        format_trace: Option<format_function_t> = 264,
        validate_frame: *mut c_void = 272,
        state_string: *mut u8 = 280,
        node_fn_registrations: *mut vlib_node_fn_registration_t = 288,
    }

    /// A node as one thread runs it.
    struct vlib_node_runtime_t: 64, size 128 {
        function: Option<vlib_node_function_t> = 0,
        /// The node's errors by error code, each an index into the counters.
        errors: *mut vlib_error_t = 8,
        clocks_since_last_overflow: u32 = 16,
        max_clock: u32 = 20,
        max_clock_n: u32 = 24,
        calls_since_last_overflow: u32 = 28,
        vectors_since_last_overflow: u32 = 32,
        next_frame_index: u32 = 36,
        node_index: u32 = 40,
        input_main_loops_per_call: u32 = 44,
        main_loop_count_last_dispatch: u32 = 48,
        main_loop_vector_stats: [u32; 2] = 52,
        /// `VLIB_NODE_FLAG_*`.
        flags: u16 = 60,
        state: u8 = 62,
        dispatch_reason: u8 = 63,
        n_next_nodes: u16 = 64,
        cached_next_index: u16 = 66,
        stop_timer_handle_plus_1: u32 = 68,
        /// The node's own data; VPP does not check that it fits.
        runtime_data: [u8; 56] = 72,
    }

    /// All nodes, as one thread runs them.
    struct vlib_node_main_t: 8, size 264 {
        nodes: *mut *mut vlib_node_t = 0,
        node_by_name: *mut uword = 8,
        flags: u32 = 16,
        nodes_by_type: [*mut vlib_node_runtime_t; 5] = 24,
        node_interrupts: [*mut c_void; 5] = 64,
        polling_threshold_vector_length: u32 = 104,
        interrupt_threshold_vector_length: u32 = 108,
        next_frames: *mut vlib_next_frame_t = 112,
        pending_frames: *mut vlib_pending_frame_t = 120,
        signal_timed_event_data_pool: *mut c_void = 128,
        process_restore_current: *mut c_void = 136,
        sched_node_pending: *mut u32 = 144,
        process_restore_next: *mut c_void = 152,
        time_next_process_ready: f64 = 160,
        processes: *mut *mut c_void = 168,
        current_process_index: u32 = 176,
        suspended_process_frames: *mut vlib_pending_frame_t = 184,
        recycled_event_data_vectors: *mut *mut c_void = 192,
        input_node_counts_by_state: [u32; 3] = 200,
        frame_sizes: *mut vlib_frame_size_t = 216,
        time_last_runtime_stats_clear: f64 = 224,
        node_by_error: *mut u32 = 232,
        variants: *mut vlib_node_fn_variant_t = 240,
        /// `!0` unless a default variant was configured.
        node_fn_default_march_variant: u32 = 248,
        node_fn_march_variant_by_suffix: *mut uword = 256,
    }
}

constants! {
    VLIB_NODE_TYPE_INTERNAL: u32 = 0;
    VLIB_NODE_TYPE_INPUT: u32 = 1;
    VLIB_NODE_TYPE_PRE_INPUT: u32 = 2;
    VLIB_NODE_TYPE_PROCESS: u32 = 3;
    VLIB_NODE_TYPE_SCHED: u32 = 4;
    VLIB_NODE_STATE_POLLING: u8 = 0;
    VLIB_NODE_STATE_INTERRUPT: u8 = 1;
    VLIB_NODE_STATE_DISABLED: u8 = 2;

    /// At least one packet of the frame is traced.
    VLIB_NODE_FLAG_TRACE: u16 = 1 << 5;
    /// The node writes trace records.
    VLIB_NODE_FLAG_TRACE_SUPPORTED: u16 = 1 << 8;
    /// Set in [`vlib_node_main_t::flags`] once the graph runs.
    VLIB_NODE_MAIN_RUNTIME_STARTED: u32 = 1 << 0;
}
