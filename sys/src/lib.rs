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
//! Everything is for x86-64 and aarch64 Linux with 64-byte cache lines unless it says otherwise.

#![allow(non_camel_case_types, reason = "types keep VPP's names")]

mod constants;
pub mod mirror;
pub mod release;
pub mod symbols;
pub mod vlib;
pub mod vnet;
pub mod vppinfra;

#[cfg(feature = "bindgen")]
pub mod raw;

/// VPP's machine word.
pub type uword = usize;

/// Every mirrored record, for tests and for the comparison with installed headers.
pub fn records() -> impl Iterator<Item = &'static mirror::Record> {
    [
        vlib::buffer::RECORDS,
        vlib::buffer_funcs::RECORDS,
        vlib::cli::RECORDS,
        vlib::error::RECORDS,
        vlib::frame::RECORDS,
        vlib::init::RECORDS,
        vlib::main::RECORDS,
        vlib::node::RECORDS,
        vlib::plugin::RECORDS,
        vlib::trace::RECORDS,
        vnet::buffer::RECORDS,
        vnet::config::RECORDS,
        vnet::feature::RECORDS,
        vppinfra::error::RECORDS,
        vppinfra::pool::RECORDS,
        vppinfra::time::RECORDS,
        vppinfra::vec::RECORDS,
    ]
    .into_iter()
    .flatten()
}

/// Every mirrored constant: its name in C and its value here.
pub fn constants() -> impl Iterator<Item = &'static (&'static str, i64)> {
    [vlib::buffer::CONSTANTS, vlib::error::CONSTANTS, vlib::node::CONSTANTS, vnet::buffer::CONSTANTS]
        .into_iter()
        .flatten()
}
