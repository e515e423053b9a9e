//! The VPP ABI that vppkit builds on.
//!
//! | module | stands for |
//! |---|---|
//! | [`vlib`] | the graph: `vlib/*.h` |
//! | [`vnet`] | features and buffer metadata: `vnet/*.h` |
//! | [`vppinfra`] | vectors, pools, time, errors: `vppinfra/*.h` |
//! | [`release`] | what moved between releases, and which release is running |
//! | [`symbols`] | the functions and data of VPP that a plugin uses |
//!
//! Layouts that every supported release shares are `#[repr(C)]` types with VPP's own names. What moved is a
//! [`release::Release`]: a table of offsets and values, one per release. Nothing else in vppkit spells an
//! offset of VPP's.
//!
//! Everything is for Linux on x86-64, with cache lines of 64 bytes.
//!
//! # The feature `bindgen`
//!
//! Without it nothing but Rust is needed: no VPP, no libclang. With it, the build finds the headers of an installed
//! VPP and
//!
//! - compares them with everything that is mirrored here, and with the tables of their release. A difference fails
//!   the build and names the field, both numbers and the VPP;
//! - generates the whole C API as the module `raw`, for what vppkit has no safe layer for.
//!
//! It looks for the headers in `$VPP_PREFIX/include`, and only there if `VPP_PREFIX` is set; then where a `vpp.pc`
//! says; then in `/usr/local/include`, `/opt/vpp/include` and `/usr/include`. It needs libclang, which
//! `LIBCLANG_PATH` may point to.

#![allow(non_camel_case_types, reason = "types keep VPP's names")]

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "vppkit is for VPP on Linux on x86-64 for now: VPP on aarch64 lays its records out for cache lines of 128 bytes"
);

mod constants;
pub mod mirror;
mod mirrored;
pub mod release;
pub mod symbols;
pub mod vlib;
pub mod vnet;
pub mod vppinfra;

#[cfg(feature = "bindgen")]
pub mod raw;

pub use mirrored::{SizeInC, constants, records};
pub use vppinfra::uword;
