//! Loading plugins as VPP does (`vlib/unix/plugin.c`), and unloading them.
//!
//! # The marker
//! The stub exports a variable, `int vppkit_host_loading`, which VPP does not have. It is 1 while the host loads
//! a plugin or calls its early init, calls a linked plugin's functions to register or withdraw, or closes a plugin. It is
//! 0 at all other times. VPP's lists may be changed only while it is 1. A plugin that is linked into a test looks
//! the symbol up, and refuses to register if there is none or if it is 0: then nobody would walk the lists, or
//! somebody walks them now.

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};

use libloading::os::unix::{Library, RTLD_LAZY};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::plugin::vlib_plugin_registration_t;
use vppkit_sys::vppinfra::error::clib_error_t;

use crate::elf::PluginFile;
use crate::error::PluginError;
use crate::exports::Exports;
use crate::log;
use crate::log::error_text;
use crate::state::state;

/// Linux: tell whether a library is loaded without loading it.
const RTLD_NOLOAD: i32 = 4;

/// Sets the marker until it is dropped, also if a plugin panics.
struct Marker(&'static AtomicI32);

impl Marker {
    fn set(exports: &'static Exports) -> Self {
        exports.loading.store(1, Ordering::SeqCst);
        Self(exports.loading)
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        self.0.store(0, Ordering::SeqCst);
    }
}

/// A plugin that is linked into the test program.
#[derive(Clone)]
pub(crate) struct Linked {
    pub(crate) name: String,
    pub(crate) register: fn() -> Result<(), String>,
    pub(crate) withdraw: fn(),
}

/// A plugin that is loaded.
pub(crate) enum Loaded {
    File { name: String, library: Library, copy: PathBuf },
    Linked(Linked),
}

/// VPP's log level for what it loads.
const NOTICE: u8 = 6;

/// `int early_init(vlib_main_t *, vlib_plugin_info_t *)`, which gives an error in VPP's own form.
type EarlyInit = unsafe extern "C" fn(*mut vlib_main_t, *mut u8) -> *mut clib_error_t;

impl Loaded {
    pub(crate) fn name(&self) -> &str {
        match self {
            Loaded::File { name, .. } => name,
            Loaded::Linked(linked) => &linked.name,
        }
    }

    /// Loads a file. It is copied first, so that its statics are fresh even if a test has loaded it before.
    ///
    /// # Safety
    /// `vm` is the host's and the process is set up for its release.
    pub(crate) unsafe fn file(
        vm: *mut vlib_main_t,
        path: &Path,
        name: String,
        directory: &Path,
        version: &str,
    ) -> Result<Self, PluginError> {
        let file = PluginFile::read(path)?;
        if !version.starts_with(&file.version_required) {
            return Err(PluginError::Version { required: file.version_required, running: version.into() });
        }
        // SAFETY: by contract.
        let exports = unsafe { state(vm) }.exports;
        let missing = file.missing(&exports.names);
        if !missing.is_empty() {
            return Err(PluginError::Symbols(missing));
        }

        let copy = directory.join(path.file_name().unwrap_or("plugin.so".as_ref()));
        let _ = std::fs::remove_file(&copy);
        std::fs::copy(path, &copy).map_err(PluginError::Read)?;
        let _marker = Marker::set(exports);
        // SAFETY: loading a plugin runs its constructors; that is what the caller asks for.
        let library = unsafe { Library::open(Some(&copy), RTLD_LAZY) };
        let library = library.map_err(|e| PluginError::Load(e.to_string()))?;
        let loaded = Self::File { name, library, copy };
        // SAFETY: as above.
        unsafe { loaded.early_init(vm) }?;
        // SAFETY: as above.
        let description =
            unsafe { loaded.description() }.map(|text| format!(" ({text})")).unwrap_or_default();
        log::add(NOTICE, "plugin/load", &format!("Loaded plugin: {}{description}", loaded.name()));
        Ok(loaded)
    }

    /// What the plugin says of itself, if anything.
    ///
    /// # Safety
    /// It is loaded.
    unsafe fn description(&self) -> Option<String> {
        let Loaded::File { library, .. } = self else { return None };
        // SAFETY: the symbol is the registration; its description is NULL or a C string.
        let text = unsafe {
            let registration: *const vlib_plugin_registration_t =
                *library.get(b"vlib_plugin_registration\0").ok()?;
            log::c_text((*registration).description)
        };
        (!text.is_empty()).then_some(text)
    }

    /// Calls the function that the registration names.
    ///
    /// # Safety
    /// As for [`Loaded::file`].
    unsafe fn early_init(&self, vm: *mut vlib_main_t) -> Result<(), PluginError> {
        let Loaded::File { library, .. } = self else { return Ok(()) };
        let load = |e: libloading::Error| PluginError::Load(e.to_string());
        // SAFETY: the symbol is the registration, and it names a function of that type.
        unsafe {
            let registration: *const vlib_plugin_registration_t =
                *library.get(b"vlib_plugin_registration\0").map_err(load)?;
            let name = (*registration).early_init;
            if name.is_null() {
                return Ok(());
            }
            let name = std::ffi::CStr::from_ptr(name);
            let early_init = library.get::<EarlyInit>(name.to_bytes_with_nul()).map_err(load)?;
            // `plugin_info_t`, of which a plugin can only read names.
            let mut info = [0_u64; 64];
            let error = early_init(vm, info.as_mut_ptr().cast());
            if error.is_null() { Ok(()) } else { Err(PluginError::EarlyInit(error_text(error))) }
        }
    }

    /// Lets a linked plugin register.
    pub(crate) fn linked(exports: &'static Exports, linked: Linked) -> Result<Self, PluginError> {
        let _marker = Marker::set(exports);
        (linked.register)().map_err(PluginError::Linked)?;
        Ok(Self::Linked(linked))
    }

    /// Unloads the plugin. Gives whether it is really gone: a library stays if its thread-local destructors
    /// wait for the end of a thread, and then it has withdrawn nothing.
    pub(crate) fn unload(self, exports: &'static Exports) -> bool {
        let _marker = Marker::set(exports);
        match self {
            Loaded::Linked(linked) => {
                (linked.withdraw)();
                true
            }
            Loaded::File { library, copy, .. } => {
                let _ = library.close();
                let Ok(path) = CString::new(copy.as_os_str().as_encoded_bytes()) else { return true };
                // SAFETY: only asks whether the library is still there.
                let handle = unsafe { libc::dlopen(path.as_ptr(), RTLD_LAZY | RTLD_NOLOAD) };
                if handle.is_null() {
                    return true;
                }
                // SAFETY: gives back the reference that the question took.
                unsafe { libc::dlclose(handle) };
                false
            }
        }
    }
}
