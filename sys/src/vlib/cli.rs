//! `vlib/cli.h`: CLI commands.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use core::ffi::{c_char, c_void};

use crate::mirror::mirror;
use crate::uword;

mirror! {
    /// A CLI command registration.
    struct vlib_cli_command_t: 8, size 104 {
        path: *const c_char = 0,
        short_help: *const c_char = 8,
        long_help: *const c_char = 16,
        function: *mut c_void = 24,
        function_arg: uword = 32,
        is_mp_safe: uword = 40,
        sub_commands: *mut c_void = 48,
        sub_command_index_by_name: *mut uword = 56,
        sub_command_positions: *mut c_void = 64,
        sub_rule_index_by_name: *mut uword = 72,
        sub_rules: *mut c_void = 80,
        next_cli_command: *mut vlib_cli_command_t = 88,
        hit_counter: u32 = 96,
    }

    /// All CLI commands.
    struct vlib_cli_main_t: 8, size 56 {
        commands: *mut vlib_cli_command_t = 0,
        command_index_by_path: *mut uword = 8,
        cli_command_registrations: *mut vlib_cli_command_t = 16,
        sort_vector: *mut u32 = 24,
        perf_counter_cbs: *mut c_void = 32,
        perf_counter_cbs_tmp: *mut c_void = 40,
        log: u32 = 48,
    }
}
