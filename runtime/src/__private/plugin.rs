//! A plugin's life: its registration, which VPP reads from the file; its constructor, which runs inside `dlopen`;
//! early init, which can still refuse; its destructor, which runs when VPP closes it.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::NonNull;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use vppkit_sys::release;
use vppkit_sys::symbols::{VERSION_SYMBOL, VPP};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::plugin::vlib_plugin_registration_t;
use vppkit_sys::vppinfra::error::clib_error_t;

use crate::__private::format::c_string;
use crate::__private::{arc, register};
use crate::plugin::{MainBarrier, Result};
use crate::verdict::same;

/// What `#[vlib_plugin]` says of the plugin.
pub struct Plugin {
    name: &'static str,
    init: fn(&mut MainBarrier<'_>) -> Result<()>,
    /// The releases of VPP that the author wants; empty for all that are supported.
    releases: &'static [&'static str],
}

impl Plugin {
    /// A plugin with the name of its package.
    pub const fn new(name: &'static str, init: fn(&mut MainBarrier<'_>) -> Result<()>) -> Self {
        Self { name, init, releases: &[] }
    }

    /// Only for these releases.
    pub const fn releases(self, releases: &'static [&'static str]) -> Self {
        Self { releases, ..self }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }
}

/// Fails to compile if vppkit has no table of the release.
pub const fn known_release(name: &str) {
    const KNOWN: [&str; 4] = ["25.10", "26.02", "26.06", "26.10-rc0"];
    let mut i = 0;
    while i < KNOWN.len() {
        if same(KNOWN[i].as_bytes(), name.as_bytes()) {
            return;
        }
        i += 1;
    }
    panic!("vppkit does not know this release of VPP: it knows 25.10, 26.02, 26.06 and 26.10-rc0");
}

/// The contents of the section `.vlib_plugin_registration`.
#[repr(transparent)]
pub struct PluginRegistration(vlib_plugin_registration_t);

// SAFETY: nothing in it is ever written; its pointers are to constants.
unsafe impl Sync for PluginRegistration {}

impl PluginRegistration {
    /// The registration. `version_required` is empty: the constructor knows better which releases fit.
    pub const fn new(
        version: &'static str,
        description: &'static CStr,
        default_disabled: bool,
        overrides: &'static str,
    ) -> Self {
        Self(vlib_plugin_registration_t {
            default_disabled: default_disabled as u8,
            version: match padded(version) {
                Some(version) => version,
                None => panic!("the package version is longer than the 63 bytes that VPP has room for"),
            },
            version_required: [0; 64],
            overrides: match padded(overrides) {
                Some(overrides) => overrides,
                None => {
                    panic!("the names in `overrides` are longer than the 255 bytes that VPP has room for")
                }
            },
            early_init: c"vppkit_early_init".as_ptr(),
            description: description.as_ptr(),
            _pad0: [0; 5],
        })
    }
}

/// Text in an array of bytes, with at least one NUL behind it.
const fn padded<const N: usize>(text: &str) -> Option<[u8; N]> {
    let text = text.as_bytes();
    if text.len() >= N {
        return None;
    }
    let mut bytes = [0; N];
    let mut i = 0;
    while i < text.len() {
        bytes[i] = text[i];
        i += 1;
    }
    Some(bytes)
}

/// What the constructor came to.
enum State {
    /// It has not run, or this is no VPP.
    Idle,
    Registered,
    /// The sentence for VPP's log.
    Refused(String),
}

static STATE: Mutex<State> = Mutex::new(State::Idle);

fn state() -> std::sync::MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A variable of the embedded host: not 0 while it loads and closes plugins.
const HOST_LOADING: &CStr = c"vppkit_host_loading";

/// Whether the embedded host is in this program and waits for plugins to register.
pub(crate) fn host_is_loading() -> bool {
    let loading = lookup(HOST_LOADING).cast::<core::ffi::c_int>();
    // SAFETY: the host defines it as an `int`, which changes on the thread that calls this, if at all.
    unsafe { loading.as_ref() }.is_some_and(|&loading| loading != 0)
}

unsafe extern "C" {
    /// `dlfcn.h`. With a NULL handle (`RTLD_DEFAULT`) it searches what the process has loaded.
    fn dlsym(handle: *mut c_void, symbol: *const c_char) -> *mut c_void;
}

fn lookup(name: &CStr) -> *mut c_void {
    // SAFETY: `dlsym` may be called from constructors; the name ends with a NUL.
    unsafe { dlsym(core::ptr::null_mut(), name.as_ptr()) }
}

/// The version that the process says it is. `None` if it is no VPP.
fn version() -> Option<String> {
    let symbol = lookup(VERSION_SYMBOL).cast::<*const c_char>();
    // SAFETY: VPP defines it as a pointer to a C string, which is set before plugins are loaded and never changed.
    let version = unsafe { symbol.as_ref().and_then(|text| text.as_ref()).map(|text| CStr::from_ptr(text)) }?;
    let version = version.to_string_lossy();
    (!version.is_empty()).then(|| version.into_owned())
}

/// The constructor: finds out which VPP this is and registers what the macros collected.
///
/// In a program that is no VPP (a test of the plugin's crate) it does nothing.
pub fn load(plugin: &'static Plugin) {
    let loaded = catch_unwind(AssertUnwindSafe(|| try_load(Some(plugin))));
    let next = match loaded {
        Ok(Ok(true)) => State::Registered,
        Ok(Ok(false)) => State::Idle,
        Ok(Err(refusal)) => State::Refused(refusal),
        Err(_) => State::Refused("registering it panicked".to_owned()),
    };
    *state() = next;
}

/// Whether there was a VPP to register in. An error is the reason for registering nothing.
pub(crate) fn try_load(plugin: Option<&'static Plugin>) -> core::result::Result<bool, String> {
    let Some(version) = version() else { return Ok(false) };
    let wanted = plugin.map_or(&[][..], |plugin| plugin.releases);
    let release = release::find_among(&version, wanted).map_err(|unsupported| unsupported.to_string())?;
    // SAFETY: the addresses come from the dynamic linker, by VPP's names; no node of this plugin is registered yet.
    unsafe { VPP.resolve(lookup) }.map_err(|missing| missing.to_string())?;
    arc::set_release(release);
    register::register(release, plugin)?;
    Ok(true)
}

/// VPP calls it right after loading: the moment to refuse.
pub fn early_init(_plugin: &'static Plugin, _vm: *mut c_void) -> *mut c_void {
    match &*state() {
        // VPP prints this text as a format of its own.
        State::Refused(reason) => clib_error(&reason.replace('%', "%%")).cast(),
        State::Idle | State::Registered => core::ptr::null_mut(),
    }
}

/// The destructor: takes everything off VPP's lists.
pub fn unload(_plugin: &'static Plugin) {
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let mut state = state();
        if matches!(*state, State::Registered) {
            register::withdraw();
        }
        *state = State::Idle;
    }));
}

/// Calls the author's init function: a `vlib_init_function_t`.
///
/// # Safety
/// `vm` is the main thread's, and the caller is that thread, before workers run.
pub(crate) unsafe fn call_init(plugin: &'static Plugin, vm: *mut vlib_main_t) -> *mut clib_error_t {
    let Some(vm) = NonNull::new(vm) else { return core::ptr::null_mut() };
    // SAFETY: the caller's promise.
    let mut barrier = unsafe { MainBarrier::new(vm) };
    match catch_unwind(AssertUnwindSafe(|| (plugin.init)(&mut barrier))) {
        Ok(Ok(())) => core::ptr::null_mut(),
        Ok(Err(error)) => clib_error(&format!("{}: {error}", plugin.name)),
        Err(payload) => {
            core::mem::forget(payload);
            clib_error(&format!("{}: the init function panicked", plugin.name))
        }
    }
}

/// An error for VPP: `clib_error_return (0, "%s", text)`.
fn clib_error(text: &str) -> *mut clib_error_t {
    type ErrorReturn = unsafe extern "C" fn(
        *mut clib_error_t,
        i64,
        usize,
        *const c_char,
        *const c_char,
        ...
    ) -> *mut clib_error_t;
    // Looked up here, not taken from the table: the refusal may be about the table.
    let address = lookup(c"_clib_error_return");
    if address.is_null() {
        eprintln!("{text}");
        return core::ptr::null_mut();
    }
    // SAFETY: what VPP calls by this name has this signature; the format takes one C string.
    unsafe {
        let error_return = core::mem::transmute::<*mut c_void, ErrorReturn>(address);
        error_return(core::ptr::null_mut(), 0, 0, core::ptr::null(), c"%s".as_ptr(), c_string(text).as_ptr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_releases_are_those_with_a_table() {
        for release in release::known() {
            known_release(release.name);
        }
        for name in ["26.10", "27.02", ""] {
            assert!(catch_unwind(|| known_release(name)).is_err(), "{name}");
        }
    }
}
