//! `vlib/unix/plugin.h`: how a plugin introduces itself.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::c_char;

use crate::mirror::mirror;

mirror! {
    /// The contents of the section `.vlib_plugin_registration`.
    ///
    /// VPP reads the arrays from the file, before relocation; the pointers only after loading.
    struct vlib_plugin_registration_t: 64, size 448 {
        /// Bit 0: disabled by default. Bit 1: load with `RTLD_DEEPBIND`.
        default_disabled: u8 = 0,
        version: [u8; 64] = 1,
        /// A prefix of VPP's version, or empty.
        version_required: [u8; 64] = 65,
        overrides: [u8; 256] = 129,
        /// The name of a function that VPP calls right after loading.
        early_init: *const c_char = 392,
        description: *const c_char = 400,
        /// `load_after` where a release has it; NULL.
        _pad0: [usize; 5] = 408,
    }
}
