//! `vppinfra/error.h`: errors as values.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use crate::mirror::mirror;
use crate::uword;

mirror! {
    /// An error: a vector of these, NULL for success.
    struct clib_error_t: 8, size 32 {
        /// What happened: a vector of characters.
        what: *mut u8 = 0,
        r#where: *const u8 = 8,
        flags: uword = 16,
        code: i64 = 24,
    }
}
