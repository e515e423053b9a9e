//! `vlib/buffer_funcs.h`: the enqueue functions that VPP picks for the CPU.

use crate::uword;
use crate::vlib::main::vlib_main_t;
use crate::vlib::node::vlib_node_runtime_t;

/// Enqueues each buffer to its own next. May read up to 63 elements past `count` in `nexts`.
pub type vlib_buffer_enqueue_to_next_fn_t = unsafe extern "C" fn(
    vm: *mut vlib_main_t,
    node: *mut vlib_node_runtime_t,
    buffers: *mut u32,
    nexts: *mut u16,
    count: uword,
);

/// Enqueues all buffers to one next.
pub type vlib_buffer_enqueue_to_single_next_fn_t = unsafe extern "C" fn(
    vm: *mut vlib_main_t,
    node: *mut vlib_node_runtime_t,
    buffers: *mut u32,
    next_index: u16,
    count: u32,
);

crate::mirror::mirror! {
    /// The chosen functions. The mirror ends where releases begin to differ.
    struct vlib_buffer_func_main_t: 8, prefix 48 {
        /// See [`vlib_buffer_enqueue_to_next_fn_t`].
        buffer_enqueue_to_next_fn: Option<vlib_buffer_enqueue_to_next_fn_t> = 0,
        /// Not used by vppkit.
        buffer_enqueue_to_next_with_aux_fn: *mut core::ffi::c_void = 8,
        /// See [`vlib_buffer_enqueue_to_single_next_fn_t`].
        buffer_enqueue_to_single_next_fn: Option<vlib_buffer_enqueue_to_single_next_fn_t> = 16,
    }
}
