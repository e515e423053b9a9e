//! The functions and data of VPP that vppkit uses.
//!
//! They are looked up by name when the plugin is loaded, not left to the dynamic linker. So a symbol that a
//! VPP lacks is a sentence in its log before anything is registered (the linker would fail at the first call,
//! in the middle of traffic), and the same crate links into a test program that has no VPP at all.
//! The names also stand in the section `.vppkit.imports` of each plugin, separated by NUL bytes.

use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::vlib::buffer::vlib_buffer_t;
use crate::vlib::buffer_funcs::vlib_buffer_func_main_t;
use crate::vlib::main::{vlib_global_main_t, vlib_main_t};
use crate::vlib::node::vlib_node_runtime_t;
use crate::vnet::feature::vnet_feature_main_t;
use crate::vppinfra::error::clib_error_t;

/// Data of VPP's, once [`Symbols::resolve`] has found it.
pub struct Data<T>(AtomicPtr<T>);

impl<T> Data<T> {
    const fn unresolved() -> Self {
        Self(AtomicPtr::new(core::ptr::null_mut()))
    }

    /// Its address; NULL before it was resolved.
    #[inline(always)]
    pub fn get(&self) -> *mut T {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, address: *mut c_void) {
        self.0.store(address.cast(), Ordering::Relaxed);
    }
}

/// A function of VPP's with the signature `F`, once [`Symbols::resolve`] has found it.
pub struct Function<F>(AtomicPtr<c_void>, PhantomData<F>);

impl<F: Copy> Function<F> {
    const fn unresolved() -> Self {
        Self(AtomicPtr::new(core::ptr::null_mut()), PhantomData)
    }

    /// The function; `None` before it was resolved.
    #[inline(always)]
    pub fn get(&self) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        let address = self.0.load(Ordering::Relaxed);
        // SAFETY: `F` is a function pointer type (the declarations below give nothing else) and the address is
        // not NULL.
        (!address.is_null()).then(|| unsafe { core::mem::transmute_copy::<*mut c_void, F>(&address) })
    }

    fn set(&self, address: *mut c_void) {
        self.0.store(address, Ordering::Relaxed);
    }
}

/// Names that a VPP does not export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(Vec<&'static CStr>);

impl Missing {
    /// The names, in the order of [`NAMES`].
    pub fn names(&self) -> &[&'static CStr] {
        &self.0
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VPP does not export")?;
        for (i, name) in self.names().iter().enumerate() {
            write!(f, "{} {}", if i > 0 { "," } else { "" }, name.to_str().unwrap_or("?"))?;
        }
        Ok(())
    }
}

macro_rules! symbols {
    ($( $(#[$meta:meta])* $kind:ident $name:ident: $ty:ty; )*) => {
        /// The symbols, one field each.
        pub struct Symbols {
            $( $(#[$meta])* pub $name: $kind<$ty>, )*
        }

        /// The symbols of the VPP that this plugin was loaded into.
        pub static VPP: Symbols = Symbols { $( $name: $kind::unresolved(), )* };

        /// Their names in C. Every supported release exports every one.
        pub const NAMES: &[&CStr] = &[$( names::$name, )*];

        struct Addresses {
            $( $name: *mut c_void, )*
        }

        #[allow(non_upper_case_globals, reason = "the names are VPP's")]
        mod names {
            $(
                pub(super) const $name: &core::ffi::CStr =
                    match core::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                        Ok(name) => name,
                        Err(_) => unreachable!(),
                    };
            )*
        }

        const IMPORTS: &[u8] = concat!($( stringify!($name), "\0", )*).as_bytes();

        impl Symbols {
            /// Looks every symbol up and keeps what was found. Tells what was not.
            ///
            /// # Safety
            /// `lookup` returns NULL or the address of what VPP calls by that name. No node of this plugin runs yet.
            pub unsafe fn resolve(&self, mut lookup: impl FnMut(&CStr) -> *mut c_void) -> Result<(), Missing> {
                let mut missing = Vec::new();
                let mut find = |name: &'static CStr| {
                    let address = lookup(name);
                    if address.is_null() {
                        missing.push(name);
                    }
                    address
                };
                // Nothing is kept unless everything is there.
                let found = Addresses { $( $name: find(names::$name), )* };
                if missing.is_empty() {
                    $( self.$name.set(found.$name); )*
                    Ok(())
                } else {
                    Err(Missing(missing))
                }
            }
        }
    };
}

symbols! {
    /// `vlib/main.h`.
    Data vlib_global_main: vlib_global_main_t;
    /// `vlib/buffer_funcs.h`.
    Data vlib_buffer_func_main: vlib_buffer_func_main_t;
    /// `vnet/feature/feature.h`.
    Data feature_main: vnet_feature_main_t;
    /// `vlib/trace_funcs.h`. Returns room for a record of `n_data_bytes`; the room that untraced packets
    /// share has [`VNET_TRACE_PLACEHOLDER_SIZE`](crate::vlib::trace::VNET_TRACE_PLACEHOLDER_SIZE) bytes.
    Function vlib_add_trace: unsafe extern "C" fn(
        *mut vlib_main_t, *mut vlib_node_runtime_t, *mut vlib_buffer_t, n_data_bytes: u32,
    ) -> *mut c_void;
    /// `vppinfra/format.h`. Appends to a vector of characters.
    Function format: unsafe extern "C" fn(s: *mut u8, fmt: *const c_char, ...) -> *mut u8;
    /// `vppinfra/error.h`. Appends an error to a list of errors.
    Function _clib_error_return: unsafe extern "C" fn(
        errors: *mut clib_error_t, code: i64, flags: usize, where_: *const c_char, fmt: *const c_char, ...
    ) -> *mut clib_error_t;
}

/// VPP's version string, `vlib/unix/plugin.h`. It is looked up before [`NAMES`]: a program that lacks it, or
/// has it empty, is no VPP.
pub const VERSION_SYMBOL: &CStr = c"vlib_plugin_app_version";

const N_IMPORTS: usize = IMPORTS.len();

#[used]
#[unsafe(link_section = ".vppkit.imports")]
static IMPORTS_SECTION: [u8; N_IMPORTS] = {
    let mut bytes = [0; N_IMPORTS];
    bytes.copy_from_slice(IMPORTS);
    bytes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_missing_name_is_told() {
        // SAFETY: nothing is called through the table.
        let missing = unsafe {
            VPP.resolve(|name| if name == c"format" { 8 as *mut c_void } else { core::ptr::null_mut() })
        };
        let missing = missing.unwrap_err();
        assert_eq!(missing.names().len(), NAMES.len() - 1);
        let message = missing.to_string();
        assert!(
            message.starts_with("VPP does not export vlib_global_main, vlib_buffer_func_main,"),
            "{message}"
        );
        assert!(!message.contains(" format"), "{message}");
    }
}
