//! `vlib/buffer.h`: packet buffers and their pools.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::c_void;
use core::sync::atomic::AtomicU8;

use crate::constants::constants;
use crate::mirror::mirror;
use crate::uword;
use crate::vlib::error::vlib_error_t;

mirror! {
    /// A packet buffer: 128 bytes of metadata, 128 bytes of headroom (`pre_data`), then the data.
    ///
    /// A buffer index counts 64-byte units from the start of the buffer memory.
    struct vlib_buffer_t: 64, size 256 {
        /// Where the packet starts, relative to `data`; from -128 up.
        current_data: i16 = 0,
        /// Bytes of the packet in this buffer, from `current_data`.
        current_length: u16 = 2,
        /// `VLIB_BUFFER_*` and `VNET_BUFFER_F_*`.
        flags: u32 = 4,
        flow_id: u32 = 8,
        ref_count: AtomicU8 = 12,
        buffer_pool_index: u8 = 13,
        /// Why the packet was dropped; read by `error-drop`.
        error: vlib_error_t = 14,
        /// The next buffer of the chain, if `VLIB_BUFFER_NEXT_PRESENT`.
        next_buffer: u32 = 16,
        /// Position on the feature arc that the packet is on.
        current_config_index: u32 = 20,
        /// [`vnet_buffer_opaque_t`](crate::vnet::buffer::vnet_buffer_opaque_t).
        opaque: [u32; 10] = 24,
        trace_handle: u32 = 64,
        /// Bytes in the rest of the chain, if `VLIB_BUFFER_TOTAL_LENGTH_VALID`.
        total_length_not_including_first_buffer: u32 = 68,
        opaque2: [u32; 14] = 72,
        pre_data: [u8; 128] = 128,
        /// The packet data: as many bytes as the pool's `data_size`.
        data: [u8; 0] = 256,
    }

    /// The first 64 bytes of a buffer.
    struct vlib_buffer_template_t: 64, size 64 {
        current_data: i16 = 0,
        current_length: u16 = 2,
        flags: u32 = 4,
        flow_id: u32 = 8,
        ref_count: AtomicU8 = 12,
        buffer_pool_index: u8 = 13,
        error: vlib_error_t = 14,
        next_buffer: u32 = 16,
        current_config_index: u32 = 20,
        opaque: [u32; 10] = 24,
    }

    /// A pool of buffers of one size.
    struct vlib_buffer_pool_t: 64, size 192 {
        start: uword = 0,
        size: uword = 8,
        log2_page_size: u8 = 16,
        index: u8 = 17,
        numa_node: u8 = 18,
        physmem_map_index: u32 = 20,
        data_size: u32 = 24,
        alloc_size: u32 = 28,
        n_buffers: u32 = 32,
        n_avail: u32 = 36,
        buffers: *mut u32 = 40,
        name: *mut u8 = 48,
        lock: *mut c_void = 56,
        threads: *mut vlib_buffer_pool_thread_t = 64,
        /// The first 64 bytes of a fresh buffer of this pool.
        buffer_template: vlib_buffer_template_t = 128,
    }

    /// What one thread keeps of a pool.
    struct vlib_buffer_pool_thread_t: 64, size 2112 {
        cached_buffers: [u32; 512] = 0,
        n_cached: u32 = 2048,
    }

    /// All buffer pools, and the memory that buffer indices count in. The rest is not needed here.
    struct vlib_buffer_main_t: 64, prefix 256 {
        buffer_mem_start: uword = 0,
        buffer_mem_size: uword = 8,
        buffer_pools: *mut vlib_buffer_pool_t = 16,
        alloc_callback_fn: *mut c_void = 24,
        free_callback_fn: *mut c_void = 32,
        default_buffer_pool_index_for_numa: [u8; 32] = 40,
        default_buffers_per_numa: u32 = 72,
        buffers_per_numa: [u32; 32] = 76,
        ext_hdr_size: u16 = 204,
        default_data_size: u32 = 208,
    }
}

constants! {
    /// The buffer has a trace record.
    VLIB_BUFFER_IS_TRACED: u32 = 1 << 0;
    /// The packet goes on in [`vlib_buffer_t::next_buffer`].
    VLIB_BUFFER_NEXT_PRESENT: u32 = 1 << 1;
    /// [`vlib_buffer_t::total_length_not_including_first_buffer`] is right.
    VLIB_BUFFER_TOTAL_LENGTH_VALID: u32 = 1 << 2;
    VLIB_BUFFER_EXT_HDR_VALID: u32 = 1 << 3;
    /// Bytes before `data` that headers may grow into.
    VLIB_BUFFER_PRE_DATA_SIZE: usize = 128;
    /// A buffer index counts units of this many bytes, as a power of two: VPP's cache line.
    VLIB_BUFFER_LOG2_ALIGN as CLIB_LOG2_CACHE_LINE_BYTES: u32 = 6;
}
