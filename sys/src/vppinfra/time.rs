//! `vppinfra/time.h`: the clock.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use crate::mirror::mirror;

mirror! {
    /// Turns CPU cycles into seconds.
    struct clib_time_t: 8, size 80 {
        total_cpu_time: u64 = 0,
        last_cpu_time: u64 = 8,
        clocks_per_second: f64 = 16,
        seconds_per_clock: f64 = 24,
        init_cpu_time: u64 = 32,
        init_reference_time: f64 = 40,
        last_verify_cpu_time: u64 = 48,
        last_verify_reference_time: f64 = 56,
        log2_clocks_per_second: u32 = 64,
        log2_clocks_per_frequency_verify: u32 = 68,
        damping_constant: f64 = 72,
    }
}
