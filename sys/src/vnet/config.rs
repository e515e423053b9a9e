//! `vnet/config.h`: the strings of next indices that feature arcs are made of.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use crate::mirror::mirror;

mirror! {
    /// The part of an arc's configuration that every release lays out alike. The rest is in
    /// [`Release::vnet_config_main`](crate::release::Release::vnet_config_main).
    struct vnet_config_main_t: 8, prefix 72 {
        config_pool: *mut vnet_config_t = 0,
        config_string_hash: *mut usize = 8,
        /// Before 26.06, where [`vlib_buffer_t::current_config_index`](crate::vlib::buffer::vlib_buffer_t)
        /// points into.
        config_string_heap: *mut u32 = 16,
    }

    /// One combination of features.
    struct vnet_config_t: 8, size 32 {
        features: *mut vnet_config_feature_t = 0,
        config_string_vector: *mut u32 = 8,
        config_string_heap_index: u32 = 16,
        config_string_heap_handle: u32 = 20,
        index: u32 = 24,
        reference_count: u32 = 28,
    }

    /// One feature of a combination.
    struct vnet_config_feature_t: 8, size 24 {
        feature_index: u32 = 0,
        node_index: u32 = 4,
        next_index: u32 = 8,
        feature_config: *mut u32 = 16,
    }
}
