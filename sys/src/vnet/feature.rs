//! `vnet/feature/feature.h`: feature arcs.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::c_char;

use crate::mirror::mirror;
use crate::vnet::config::vnet_config_main_t;
use crate::vppinfra::error::clib_error_t;

/// Called when a feature is enabled or disabled on an interface.
pub type vnet_feature_enable_disable_function_t =
    unsafe extern "C" fn(sw_if_index: u32, enable_disable: i32) -> *mut clib_error_t;

mirror! {
    /// A node's place on an arc.
    struct vnet_feature_registration_t: 8, size 72 {
        next: *mut vnet_feature_registration_t = 0,
        next_in_arc: *mut vnet_feature_registration_t = 8,
        arc_name: *const c_char = 16,
        node_name: *const c_char = 24,
        feature_index_ptr: *mut u32 = 32,
        feature_index: u32 = 40,
        /// NULL, or names with a NULL at the end.
        runs_before: *const *const c_char = 48,
        runs_after: *const *const c_char = 56,
        enable_disable_cb: Option<vnet_feature_enable_disable_function_t> = 64,
    }

    /// An arc.
    struct vnet_feature_arc_registration_t: 8, size 56 {
        next: *mut vnet_feature_arc_registration_t = 0,
        arc_name: *const c_char = 8,
        start_nodes: *const *const c_char = 16,
        n_start_nodes: i32 = 24,
        last_in_arc: *const c_char = 32,
        feature_arc_index: u8 = 40,
        arc_index_ptr: *mut u8 = 48,
    }

    /// An arc's configurations. The rest is in
    /// [`Release::vnet_feature_config_main`](crate::release::Release::vnet_feature_config_main), and so is the size
    /// to step through a vector of these by: it is not the size of this type.
    struct vnet_feature_config_main_t: 8, prefix 80 {
        config_main: vnet_config_main_t = 0,
    }

    /// All arcs. The rest is in
    /// [`Release::vnet_feature_main`](crate::release::Release::vnet_feature_main).
    struct vnet_feature_main_t: 8, prefix 112 {
        next_arc: *mut vnet_feature_arc_registration_t = 0,
        arc_index_by_name: *mut *mut usize = 8,
        next_feature: *mut vnet_feature_registration_t = 16,
        next_feature_by_arc: *mut *mut vnet_feature_registration_t = 24,
        next_constraint: *mut u8 = 32,
        next_constraint_by_arc: *mut *mut u8 = 40,
        next_feature_by_name: *mut *mut usize = 48,
        feature_config_mains: *mut vnet_feature_config_main_t = 56,
    }
}
