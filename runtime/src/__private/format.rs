//! Text for VPP: format functions, and errors.

use core::ffi::{CStr, c_void};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use vppkit_sys::symbols::VPP;

use crate::node::Node;
use crate::trace::Trace;

/// Text as a C string: up to the first NUL, if it holds one.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.bytes().position(|b| b == 0).unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Appends text to a vector of VPP's: `format (s, "%s", text)`.
///
/// # Safety
/// `s` is NULL or a vector of characters of VPP's. The caller is on a thread that VPP runs.
unsafe fn append(s: *mut u8, text: &str) -> *mut u8 {
    match VPP.format.get() {
        // SAFETY: the caller's promise; the text ends with a NUL.
        Some(format) => unsafe { format(s, c"%s".as_ptr(), c_string(text).as_ptr()) },
        None => s,
    }
}

/// The `format_trace` of a node: its arguments are the `vlib_main_t`, the `vlib_node_t` and the record.
///
/// # Safety
/// VPP calls it with a `va_list` of these, and a record that a node of type `N` has left.
pub(crate) unsafe extern "C" fn format_trace<N: Node>(s: *mut u8, args: *mut c_void) -> *mut u8 {
    // SAFETY: a `va_list` of three pointers.
    let record = unsafe {
        va_list::pointer(args);
        va_list::pointer(args);
        va_list::pointer(args)
    };
    // SAFETY: `NodeContext::trace` wrote the record; VPP keeps it where it need not be aligned.
    let record: N::Trace = unsafe { record.cast::<N::Trace>().read_unaligned() };
    let text = catch_unwind(AssertUnwindSafe(|| display(&record))).unwrap_or_else(|payload| {
        core::mem::forget(payload);
        format!("{}: the trace record's Display panicked", name(N::NAME))
    });
    // SAFETY: VPP's vector, on its main thread.
    unsafe { append(s, &text) }
}

/// Lines after the first are indented like it.
fn display(record: &impl Trace) -> String {
    record.to_string().trim_end().replace('\n', "\n  ")
}

pub(crate) fn name(name: &CStr) -> &str {
    name.to_str().unwrap_or("?")
}

/// Reads the arguments of a C function that takes a pointer to a `va_list`.
///
/// The layouts are those of the C ABIs: System V for x86-64, AAPCS64 for aarch64.
mod va_list {
    use core::ffi::c_void;

    #[cfg(target_arch = "x86_64")]
    #[repr(C)]
    struct VaList {
        gp_offset: u32,
        fp_offset: u32,
        overflow_arg_area: *mut c_void,
        reg_save_area: *mut c_void,
    }

    /// Takes the next argument, a pointer: `va_arg (*args, void *)`.
    ///
    /// # Safety
    /// `args` points to a `va_list` whose next argument is a pointer.
    #[cfg(target_arch = "x86_64")]
    pub(super) unsafe fn pointer(args: *mut c_void) -> *mut c_void {
        /// Bytes of the save area that hold integer registers.
        const GP_END: u32 = 48;
        // SAFETY: the layout is that of the ABI; `gp_offset` is below its end while registers are left, then arguments
        // are on the stack, 8 bytes each.
        unsafe {
            let args = &mut *args.cast::<VaList>();
            if args.gp_offset < GP_END {
                let value = args.reg_save_area.byte_add(args.gp_offset as usize).cast::<*mut c_void>().read();
                args.gp_offset += 8;
                value
            } else {
                let value = args.overflow_arg_area.cast::<*mut c_void>().read();
                args.overflow_arg_area = args.overflow_arg_area.byte_add(8);
                value
            }
        }
    }

    #[cfg(target_arch = "aarch64")]
    #[repr(C)]
    struct VaList {
        stack: *mut c_void,
        gr_top: *mut c_void,
        vr_top: *mut c_void,
        gr_offs: i32,
        vr_offs: i32,
    }

    /// Takes the next argument, a pointer: `va_arg (*args, void *)`.
    ///
    /// # Safety
    /// `args` points to a `va_list` whose next argument is a pointer.
    #[cfg(target_arch = "aarch64")]
    pub(super) unsafe fn pointer(args: *mut c_void) -> *mut c_void {
        // SAFETY: the layout is that of the ABI; `gr_offs` is negative while registers are left, then arguments are on
        // the stack, 8 bytes each.
        unsafe {
            let args = &mut *args.cast::<VaList>();
            if args.gr_offs < 0 {
                let value = args.gr_top.byte_offset(args.gr_offs as isize).cast::<*mut c_void>().read();
                args.gr_offs += 8;
                value
            } else {
                let value = args.stack.cast::<*mut c_void>().read();
                args.stack = args.stack.byte_add(8);
                value
            }
        }
    }
}
