//! `vppinfra/pool.h`: pools are vectors with a map of free elements before them.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use crate::mirror::mirror;
use crate::uword;

mirror! {
    /// Stands before a pool's vector header. The mirror ends where releases begin to differ.
    struct pool_header_t: 8, prefix 24 {
        free_bitmap: *mut uword = 0,
        free_indices: *mut u32 = 8,
        max_elts: u32 = 16,
    }
}
