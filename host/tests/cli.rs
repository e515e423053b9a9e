//! CLI commands that a plugin registers are listed.

use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use libloading::os::unix::Library;
use vppkit_host::{Host, Release};
use vppkit_sys::release;
use vppkit_sys::vlib::cli::{vlib_cli_command_t, vlib_cli_main_t};
use vppkit_sys::vlib::main::vlib_global_main_t;

/// The head of VPP's list of commands, in the release that the host says it is.
///
/// # Safety
/// The host is loading plugins.
unsafe fn list() -> *mut *mut vlib_cli_command_t {
    let process = Library::this();
    // SAFETY: the host exports both under VPP's names.
    unsafe {
        let version: *const *const c_char = *process.get(b"vlib_plugin_app_version\0").unwrap();
        let global: *mut vlib_global_main_t = *process.get(b"vlib_global_main\0").unwrap();
        let release = release::find(CStr::from_ptr(*version).to_str().unwrap()).unwrap();
        let main = global.byte_add(release.vlib_global_main.cli_main).cast::<vlib_cli_main_t>();
        &raw mut (*main).cli_command_registrations
    }
}

fn register() -> Result<(), String> {
    let command = vlib_cli_command_t {
        path: c"show my-plugin".as_ptr(),
        short_help: std::ptr::null(),
        long_help: std::ptr::null(),
        function: null_mut(),
        function_arg: 0,
        is_mp_safe: 0,
        sub_commands: null_mut(),
        sub_command_index_by_name: null_mut(),
        sub_command_positions: null_mut(),
        sub_rule_index_by_name: null_mut(),
        sub_rules: null_mut(),
        next_cli_command: null_mut(),
        hit_counter: 0,
    };
    // SAFETY: the host calls this while it loads plugins; the command is never freed.
    unsafe { *list() = Box::leak(Box::new(command)) };
    Ok(())
}

fn withdraw() {
    // SAFETY: the host calls this while it closes plugins.
    unsafe { *list() = null_mut() };
}

#[test]
fn commands_of_plugins_are_listed_in_every_release() {
    for release in Release::all() {
        let report = Host::new().vpp(release).linked_plugin("cli", register, withdraw).run().unwrap();
        assert_eq!(report.cli_commands(), ["show my-plugin"], "{}", release.name());
    }
}
