//! `vlib/node.h`: frames, what is pending, and who owns a next frame.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use crate::constants::constants;
use crate::mirror::mirror;

mirror! {
    /// A frame: up to 256 buffer indices on their way to one node. The arguments follow in memory.
    struct vlib_frame_t: 2, size 14 {
        /// `VLIB_FRAME_*`.
        frame_flags: u16 = 0,
        /// Of the node that made the frame, for the node that gets it.
        flags: u16 = 2,
        /// Offset of the scalar arguments from the start of the frame, in bytes.
        scalar_offset: u16 = 4,
        /// Offset of the buffer indices from the start of the frame, in bytes.
        vector_offset: u16 = 6,
        aux_offset: u16 = 8,
        /// How many buffer indices the frame holds.
        n_vectors: u16 = 10,
        frame_size_index: u16 = 12,
        arguments: [u8; 0] = 14,
    }

    /// The frame that one node is filling for one of its next nodes.
    struct vlib_next_frame_t: 8, size 24 {
        frame: *mut vlib_frame_t = 0,
        node_runtime_index: u32 = 8,
        flags: u32 = 12,
        vectors_since_last_overflow: u32 = 16,
    }

    /// A frame that waits for its node to be called.
    struct vlib_pending_frame_t: 8, size 16 {
        frame: *mut vlib_frame_t = 0,
        node_runtime_index: u32 = 8,
        /// [`VLIB_PENDING_FRAME_NO_NEXT_FRAME`] if no next frame stands behind it.
        next_frame_index: u32 = 12,
    }

    /// Free frames of one size.
    struct vlib_frame_size_t: 8, size 16 {
        n_alloc_frames: u32 = 0,
        frame_size: u16 = 4,
        free_frames: *mut *mut vlib_frame_t = 8,
    }
}

constants! {
    /// Most buffers in a frame.
    VLIB_FRAME_SIZE: usize = 256;
    /// Slots behind the last buffer index that a frame has room for.
    VLIB_FRAME_SIZE_EXTRA: usize = 4;
    /// Alignment of a frame's arguments, in bytes.
    VLIB_FRAME_DATA_ALIGN: usize = 16;
    /// No next frame stands behind a pending frame.
    VLIB_PENDING_FRAME_NO_NEXT_FRAME: u32 = !0;

    /// The frame must not be freed after dispatch.
    VLIB_FRAME_NO_FREE_AFTER_DISPATCH: u16 = 1 << 0;
    /// The frame has memory.
    VLIB_FRAME_IS_ALLOCATED: u16 = 1 << 1;
    /// The frame waits to be dispatched.
    VLIB_FRAME_PENDING: u16 = 1 << 2;
    /// The frame is freed after dispatch.
    VLIB_FRAME_FREE_AFTER_DISPATCH: u16 = 1 << 3;
    /// The frame holds at least one traced buffer.
    VLIB_FRAME_TRACE: u16 = 1 << 5;
    /// Nothing may be added to the frame.
    VLIB_FRAME_NO_APPEND: u16 = 1 << 14;
    /// This next frame owns the frame to the node.
    VLIB_FRAME_OWNER: u16 = 1 << 15;
}
