//! `vlib/error.h`: error counters.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::c_char;

use crate::constants::constants;
use crate::mirror::mirror;

/// An index into [`vlib_error_main_t::counters`].
pub type vlib_error_t = u16;

mirror! {
    /// One error counter of a node.
    struct vlib_error_desc_t: 8, size 24 {
        name: *const c_char = 0,
        desc: *const c_char = 8,
        /// `VL_COUNTER_SEVERITY_*`.
        severity: u32 = 16,
        stats_entry_index: u32 = 20,
    }

    /// The error counters of one thread.
    struct vlib_error_main_t: 8, size 32 {
        /// A vector, indexed by [`vlib_error_t`].
        counters: *mut u64 = 0,
        counters_last_clear: *mut u64 = 8,
        counters_heap: *mut vlib_error_desc_t = 16,
        stats_err_entry_index: u32 = 24,
    }
}

constants! {
    VL_COUNTER_SEVERITY_ERROR: u32 = 0;
    VL_COUNTER_SEVERITY_WARN: u32 = 1;
    VL_COUNTER_SEVERITY_INFO: u32 = 2;
}
