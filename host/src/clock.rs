//! The CPU's clock, as VPP reads it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Cycles since some time in the past.
#[inline(always)]
pub(crate) fn now() -> u64 {
    // SAFETY: every x86-64 CPU has this instruction.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// How many cycles a second has, measured once.
pub(crate) fn per_second() -> f64 {
    static RATE: OnceLock<f64> = OnceLock::new();
    *RATE.get_or_init(|| {
        let (start, clocks) = (Instant::now(), now());
        std::thread::sleep(Duration::from_millis(5));
        let clocks = now().wrapping_sub(clocks);
        clocks as f64 / start.elapsed().as_secs_f64()
    })
}
