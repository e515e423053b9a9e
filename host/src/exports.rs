//! The shared object with VPP's symbols: embedded, loaded once per process, pointed at the host's functions.

use std::ffi::{c_char, c_int, c_void};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::AtomicI32;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use vppkit_sys::vlib::buffer_funcs::vlib_buffer_func_main_t;
use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::{vlib_global_main_t, vlib_main_t};
use vppkit_sys::vlib::node::vlib_node_runtime_t;
use vppkit_sys::vnet::feature::vnet_feature_main_t;

use crate::{features, frames, graph, log, trace};

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/exports.so"));

/// Bytes of `vlib_global_main`, `vlib_buffer_func_main` and `feature_main` in `stub/exports.c`.
const GLOBAL_MAIN_BYTES: usize = 1024;
const BUFFER_FUNC_MAIN_BYTES: usize = 256;
const FEATURE_MAIN_BYTES: usize = 512;

/// Mirrors `struct ops` in `stub/exports.c`.
#[repr(C)]
struct Ops {
    add_trace:
        unsafe extern "C" fn(*mut vlib_main_t, *mut vlib_node_runtime_t, *mut c_void, u32) -> *mut c_void,
    get_next_frame:
        unsafe extern "C" fn(*mut vlib_main_t, *mut vlib_node_runtime_t, u32, u32) -> *mut vlib_frame_t,
    put_next_frame: unsafe extern "C" fn(*mut vlib_main_t, *mut vlib_node_runtime_t, u32, u32),
    get_frame_to_node: unsafe extern "C" fn(*mut vlib_main_t, u32) -> *mut vlib_frame_t,
    put_frame_to_node: unsafe extern "C" fn(*mut vlib_main_t, u32, *mut vlib_frame_t),
    frame_free: unsafe extern "C" fn(*mut vlib_main_t, *mut vlib_frame_t),
    get_node_by_name: unsafe extern "C" fn(*mut vlib_main_t, *const c_char) -> *mut c_void,
    add_next: unsafe extern "C" fn(*mut vlib_main_t, usize, usize, usize) -> usize,
    add_named_next: unsafe extern "C" fn(*mut vlib_main_t, usize, *const c_char, usize) -> usize,
    arc_index: unsafe extern "C" fn(*const c_char) -> u8,
    feature_enable:
        unsafe extern "C" fn(*const c_char, *const c_char, u32, c_int, *const c_void, u32) -> c_int,
    log_register: unsafe extern "C" fn(*const c_char, *const c_char) -> u32,
    log: unsafe extern "C" fn(c_int, u32, *const u8, usize),
    report: unsafe extern "C" fn(*mut c_void),
    length_in_chain: unsafe extern "C" fn(*mut vlib_main_t, *mut c_void) -> usize,
}

/// Formats one trace record with a node's own function.
pub(crate) type FormatTrace = unsafe extern "C" fn(
    function: *mut c_void,
    vm: *mut c_void,
    node: *mut c_void,
    data: *mut c_void,
) -> *mut u8;

/// Where VPP's data is in this process.
pub(crate) struct Exports {
    pub(crate) global_main: *mut vlib_global_main_t,
    pub(crate) buffer_func_main: *mut vlib_buffer_func_main_t,
    pub(crate) feature_main: *mut vnet_feature_main_t,
    pub(crate) app_version: *mut *const c_char,
    pub(crate) trace_placeholder: *mut *mut u8,
    pub(crate) format_trace: FormatTrace,
    /// See [`crate::loader`].
    pub(crate) loading: &'static AtomicI32,
    /// Every name that the shared object exports.
    pub(crate) names: Vec<String>,
    _library: Library,
}

// SAFETY: only the thread that holds the host's lock uses the pointers.
unsafe impl Send for Exports {}
// SAFETY: as above.
unsafe impl Sync for Exports {}

impl Exports {
    /// Zeroes VPP's data, as it is when VPP has just been loaded.
    ///
    /// # Safety
    /// The caller holds the host's lock and no plugin is loaded.
    pub(crate) unsafe fn reset(&self) {
        // SAFETY: the sizes are those of the stub, and by contract nothing else uses the data.
        unsafe {
            self.global_main.cast::<u8>().write_bytes(0, GLOBAL_MAIN_BYTES);
            self.buffer_func_main.cast::<u8>().write_bytes(0, BUFFER_FUNC_MAIN_BYTES);
            self.feature_main.cast::<u8>().write_bytes(0, FEATURE_MAIN_BYTES);
            *self.app_version = c"".as_ptr();
            *self.trace_placeholder = std::ptr::null_mut();
        }
    }
}

/// The symbols, loaded at the first call.
pub(crate) fn get() -> Result<&'static Exports, &'static str> {
    static EXPORTS: OnceLock<Result<Exports, String>> = OnceLock::new();
    EXPORTS.get_or_init(|| load().map_err(|e| e.to_string())).as_ref().map_err(String::as_str)
}

fn load() -> Result<Exports, Box<dyn std::error::Error>> {
    let mut file = tempfile::Builder::new().prefix("vppkit-exports-").suffix(".so").tempfile()?;
    file.write_all(IMAGE)?;
    file.flush()?;
    // RTLD_GLOBAL: plugins loaded later import from it, and dlsym(RTLD_DEFAULT) finds its symbols.
    // SAFETY: the file is our own; it has no constructors.
    let library = unsafe { Library::open(Some(file.path()), RTLD_NOW | RTLD_GLOBAL)? };
    let ops = Ops {
        add_trace: trace::add_trace,
        get_next_frame: frames::get_next_frame,
        put_next_frame: frames::put_next_frame,
        get_frame_to_node: frames::get_frame_to_node,
        put_frame_to_node: frames::put_frame_to_node,
        frame_free: frames::frame_free,
        get_node_by_name: graph::get_node_by_name,
        add_next: graph::add_next,
        add_named_next: graph::add_named_next,
        arc_index: features::arc_index,
        feature_enable: features::enable_disable,
        log_register: log::register_class,
        log: log::write,
        report: log::report,
        length_in_chain: crate::buffers::length_in_chain,
    };
    // SAFETY: names and types are those of `stub/exports.c`; its data lives as long as the library, which
    // is never closed.
    unsafe {
        library.get::<unsafe extern "C" fn(*const Ops)>(b"vppkit_host_install\0")?(&ops);
        Ok(Exports {
            global_main: *library.get(b"vlib_global_main\0")?,
            buffer_func_main: *library.get(b"vlib_buffer_func_main\0")?,
            feature_main: *library.get(b"feature_main\0")?,
            app_version: *library.get(b"vlib_plugin_app_version\0")?,
            trace_placeholder: *library.get(b"vnet_trace_placeholder\0")?,
            format_trace: *library.get(b"vppkit_host_format_trace\0")?,
            loading: AtomicI32::from_ptr(*library.get(b"vppkit_host_loading\0")?),
            names: crate::elf::exported(IMAGE)?,
            _library: library,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every release exports these; a plugin that uses only them loads in each.
    const EXPECTED: &[&str] = &[
        "__os_thread_index",
        "_clib_error",
        "_clib_error_report",
        "_clib_error_return",
        "feature_main",
        "format",
        "format_ethernet_address",
        "format_hex_bytes",
        "format_ip4_address",
        "format_white_space",
        "os_panic",
        "va_format",
        "vlib_add_trace",
        "vlib_buffer_func_main",
        "vlib_buffer_length_in_chain_slow_path",
        "vlib_frame_free",
        "vlib_get_frame_to_node",
        "vlib_get_main_not_inline",
        "vlib_get_next_frame_internal",
        "vlib_get_node_by_name",
        "vlib_global_main",
        "vlib_log",
        "vlib_log_register_class",
        "vlib_node_add_named_next_with_slot",
        "vlib_node_add_next_with_slot",
        "vlib_plugin_app_version",
        "vlib_plugin_path",
        "vlib_put_frame_to_node",
        "vlib_put_next_frame",
        "vnet_feature_enable_disable",
        "vnet_get_feature_arc_index",
        "vnet_trace_placeholder",
    ];

    #[test]
    fn the_host_exports_only_what_every_release_exports() {
        let mut names: Vec<_> = crate::elf::exported(IMAGE).unwrap();
        names.retain(|name| !name.starts_with("vppkit_host_"));
        names.sort();
        assert_eq!(names, EXPECTED);
    }

    #[test]
    fn the_host_exports_all_that_the_toolkit_uses() {
        for name in vppkit_sys::symbols::NAMES.iter().chain([&vppkit_sys::symbols::VERSION_SYMBOL]) {
            assert!(EXPECTED.contains(&name.to_str().unwrap()), "{name:?}");
        }
    }
}
