//! The base library: mirrors of `vppinfra/*.h`.

pub mod error;
pub mod pool;
pub mod time;
pub mod vec;

/// VPP's machine word.
pub type uword = usize;
