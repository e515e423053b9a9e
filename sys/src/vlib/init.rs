//! `vlib/init.h`: init functions.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::c_char;

use crate::mirror::mirror;
use crate::vlib::main::vlib_main_t;
use crate::vppinfra::error::clib_error_t;

/// An init function. NULL is success.
pub type vlib_init_function_t = unsafe extern "C" fn(vm: *mut vlib_main_t) -> *mut clib_error_t;

mirror! {
    /// One init function, in the list of its stage.
    struct _vlib_init_function_list_elt_t: 8, size 48 {
        next_init_function: *mut _vlib_init_function_list_elt_t = 0,
        f: Option<vlib_init_function_t> = 8,
        name: *const c_char = 16,
        /// NULL, or names with a NULL at the end.
        runs_before: *const *const c_char = 24,
        runs_after: *const *const c_char = 32,
        init_order: *const *const c_char = 40,
    }
}
