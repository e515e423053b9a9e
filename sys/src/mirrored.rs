//! What is mirrored, as lists. The tests compare them with the recorded facts, the build script with the
//! headers that are installed.

use crate::mirror::{Field, Record};
use crate::{vlib, vnet, vppinfra};

/// Every mirrored record, for tests and for the comparison with installed headers.
pub fn records() -> impl Iterator<Item = &'static Record> {
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

/// Every mirrored constant: its name in C and its value here. Some are enumerators, some are `#define`s.
pub fn constants() -> impl Iterator<Item = &'static (&'static str, i64)> {
    [
        vlib::buffer::CONSTANTS,
        vlib::error::CONSTANTS,
        vlib::frame::CONSTANTS,
        vlib::node::CONSTANTS,
        vnet::buffer::CONSTANTS,
    ]
    .into_iter()
    .flatten()
}

/// What C says of a field's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeInC {
    /// The size of the mirrored field.
    Mirrored(usize),
    /// The size of this record, of which the mirrored field is a prefix.
    OfRecord(&'static str),
    /// The byte of which the field is the first bit; the other bits are fields of their own in C.
    Bits,
    /// None: it is an array without a length. The mirrored field is the room up to the end of the record.
    Rest,
}

impl SizeInC {
    /// The fields that C gives another size than their mirror.
    const OTHER: [(&str, &str, SizeInC); 4] = [
        ("vnet_feature_config_main_t", "config_main", SizeInC::OfRecord("vnet_config_main_t")),
        ("vlib_node_runtime_t", "runtime_data", SizeInC::Rest),
        ("vlib_plugin_registration_t", "default_disabled", SizeInC::Bits),
        ("vec_header_t", "log2_align", SizeInC::Bits),
    ];

    /// What C should say of a mirrored field's size.
    pub fn of(record: &Record, field: &Field) -> Self {
        Self::OTHER
            .into_iter()
            .find(|&(of_record, name, _)| (of_record, name) == (record.name, field.name))
            .map_or(Self::Mirrored(field.size), |(_, _, size)| size)
    }
}
