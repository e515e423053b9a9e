//! `vppinfra/vec.h`: vectors. A vector is a pointer to its first element; its header stands before it.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use crate::mirror::mirror;

mirror! {
    /// Stands right before a vector's first element.
    struct vec_header_t: 4, size 8 {
        /// Number of elements.
        len: u32 = 0,
        hdr_size: u8 = 4,
        /// Bits 0 to 6; bit 7: on the default heap.
        log2_align: u8 = 5,
        grow_elts: u8 = 6,
        vpad: [u8; 1] = 7,
        vector_data: [u8; 0] = 8,
    }
}

/// Number of elements of a vector; 0 for NULL.
///
/// # Safety
/// `v` is NULL or a vector of VPP's.
pub unsafe fn vec_len<T>(v: *const T) -> usize {
    if v.is_null() {
        return 0;
    }
    // SAFETY: a vector's header ends where its first element starts.
    unsafe { (*v.cast::<vec_header_t>().sub(1)).len as usize }
}
