//! VPP's C API, generated from the installed headers of vppinfra, vlib and vnet. There with the feature `bindgen`.
//!
//! It is for what vppkit has no safe layer for. Three things to know before calling into it:
//!
//! - It is the API of the one release whose headers were found. A plugin that uses it is built for that release,
//!   and says so with `version_required`.
//! - Its functions and data are imported the usual way, by the dynamic linker; [`symbols`](crate::symbols) does not
//!   look for them. One that the running VPP lacks ends the process when it is first called.
//! - Functions that VPP defines in headers, as `static inline`, are not in it, nor are function-like macros.
//!
//! The types are other types than the mirrors of the same name, with the same layout: the build has compared them.
//! Cast pointers from one to the other.

#![allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    reason = "names are VPP's, and its headers document them"
)]
#![allow(
    clippy::all,
    clippy::undocumented_unsafe_blocks,
    improper_ctypes,
    unnecessary_transmutes,
    unsafe_op_in_unsafe_fn,
    reason = "the code is generated"
)]

include!(concat!(env!("OUT_DIR"), "/vpp.rs"));

#[cfg(test)]
mod tests {
    use core::mem::offset_of;

    use crate::vlib::plugin::vlib_plugin_registration_t as Registration;
    use crate::vppinfra::vec::vec_header_t as VecHeader;

    /// The byte at `offset` of a record of zeroes in which `set` has set some bits.
    fn byte_after<T>(offset: usize, set: impl FnOnce(&mut T)) -> u8 {
        assert!(offset < size_of::<T>());
        // SAFETY: the records below are integers, arrays of them and pointers.
        let mut record: T = unsafe { core::mem::zeroed() };
        set(&mut record);
        // SAFETY: the offset is in the record, and what is there are bits, not padding.
        unsafe { (&raw const record).cast::<u8>().add(offset).read() }
    }

    /// The build compares offsets and sizes; C has none for bits.
    #[test]
    fn bits_are_where_the_mirror_says() {
        use super::{vec_header_t, vlib_plugin_registration_t};

        let flags = offset_of!(Registration, default_disabled);
        assert_eq!(byte_after(flags, |r: &mut vlib_plugin_registration_t| r.set_default_disabled(1)), 1 << 0);
        assert_eq!(byte_after(flags, |r: &mut vlib_plugin_registration_t| r.set_deep_bind(1)), 1 << 1);

        let align = offset_of!(VecHeader, log2_align);
        assert_eq!(byte_after(align, |header: &mut vec_header_t| header.set_log2_align(0x7f)), 0x7f);
        assert_eq!(byte_after(align, |header: &mut vec_header_t| header.set_default_heap(1)), 1 << 7);
    }
}
