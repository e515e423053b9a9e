//! `vlib/main.h`: the state of one thread, and of all.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::{c_char, c_void};

use crate::mirror::mirror;
use crate::vlib::buffer::vlib_buffer_main_t;
use crate::vlib::error::vlib_error_main_t;
use crate::vlib::frame::vlib_frame_t;
use crate::vlib::node::{vlib_node_function_t, vlib_node_main_t, vlib_node_runtime_t};
use crate::vlib::trace::vlib_trace_main_t;
use crate::vppinfra::error::clib_error_t;
use crate::vppinfra::time::clib_time_t;

mirror! {
    /// The graph as one thread runs it. The mirror ends where releases begin to differ.
    struct vlib_main_t: 64, prefix 1408 {
        clib_time: clib_time_t = 0,
        time_offset: f64 = 80,
        time_last_barrier_release: f64 = 88,
        cpu_time_last_node_dispatch: u64 = 96,
        cpu_time_main_loop_start: u64 = 104,
        main_loop_count: u32 = 112,
        main_loop_vectors_processed: u32 = 116,
        main_loop_nodes_processed: u32 = 120,
        internal_node_vectors: u64 = 128,
        internal_node_calls: u64 = 136,
        internal_node_vectors_last_clear: u64 = 144,
        internal_node_calls_last_clear: u64 = 152,
        internal_node_last_vectors_per_main_loop: u32 = 160,
        vlib_node_runtime_perf_callbacks: [u64; 4] = 168,
        dispatch_wrapper_fn: Option<vlib_node_function_t> = 200,
        main_loop_exit_set: u32 = 208,
        main_loop_exit_now: u32 = 212,
        main_loop_exit_status: i32 = 216,
        main_loop_exit: [u64; 8] = 224,
        main_loop_error: *mut clib_error_t = 288,
        buffer_main: *mut vlib_buffer_main_t = 296,
        physmem_main: [u64; 5] = 304,
        node_main: vlib_node_main_t = 344,
        trace_main: vlib_trace_main_t = 608,
        error_main: vlib_error_main_t = 680,
        os_punt_frame: Option<unsafe extern "C" fn(*mut vlib_main_t, *mut vlib_node_runtime_t, *mut vlib_frame_t)> = 712,
        mc_stream_index: u32 = 720,
        worker_init_functions_called: *mut usize = 728,
        procs_waiting_for_mc_stream_join: *mut c_void = 736,
        elog_trace_api_messages: i32 = 744,
        elog_trace_cli_commands: i32 = 748,
        elog_trace_graph_dispatch: i32 = 752,
        elog_trace_graph_circuit: i32 = 756,
        /// Not the same in every release.
        _pad0: [u32; 2] = 760,
        node_call_elog_event_types: *mut c_void = 768,
        node_return_elog_event_types: *mut c_void = 776,
        error_elog_event_types: *mut c_void = 784,
        random_seed: usize = 792,
        random_buffer: [u64; 42] = 800,
        thread_index: u16 = 1136,
        numa_node: u32 = 1140,
    }

    /// What all threads share. The mirror ends where releases begin to differ; the rest is in
    /// [`Release::vlib_global_main`](crate::release::Release::vlib_global_main).
    struct vlib_global_main_t: 64, prefix 256 {
        vlib_mains: *mut *mut vlib_main_t = 0,
        name: *mut c_char = 8,
        exec_path: *mut c_char = 16,
        argv: *mut *mut u8 = 24,
    }
}
