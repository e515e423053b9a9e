//! Packet traces.

use core::fmt::Display;

use crate::node::Node;

/// What a node leaves in the trace of a packet. Use `#[derive(Trace)]`.
///
/// `show trace` prints it with [`Display`]. `#[trace("..")]` on the struct writes that for you:
///
/// ```
/// use std::net::Ipv4Addr;
/// use vppkit::prelude::*;
///
/// #[derive(Trace, Clone, Copy)]
/// #[trace("{source} -> {destination} ttl {ttl}")]
/// struct Seen {
///     source: Ipv4Addr,
///     destination: Ipv4Addr,
///     ttl: u8,
/// }
///
/// let seen = Seen { source: [192, 0, 2, 1].into(), destination: [192, 0, 2, 2].into(), ttl: 64 };
/// assert_eq!(seen.to_string(), "192.0.2.1 -> 192.0.2.2 ttl 64");
/// ```
///
/// VPP has room for 2,032 bytes; a larger record does not compile. A record is written on the thread that runs the node
/// and printed on the main thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no trace record",
    label = "not a trace record",
    note = "write `#[derive(Trace, Clone, Copy)]` on the struct"
)]
pub trait Trace: Copy + Send + Display + 'static {}

/// The trace record of the node `N`. `#[vlib_node]` implements it.
#[diagnostic::on_unimplemented(
    message = "the node `{N}` leaves no `{Self}` in traces",
    label = "not the trace record of this node",
    note = "write `trace = {Self}` in `#[vlib_node(..)]`, or leave the record that is named there"
)]
pub trait IntoTrace<N: Node> {
    /// The record.
    fn into_trace(self) -> N::Trace;
}

/// What a trace record may hold: plain values, no pointers. A record outlives the packet that it tells of.
#[diagnostic::on_unimplemented(
    message = "a trace record cannot hold `{Self}`",
    label = "not a plain value",
    note = "the record outlives the packet: hold numbers, `bool`, `char`, addresses, or arrays of these",
    note = "for a word, hold an enum of yours that prints it: `impl vppkit::TraceField for Word {{}}`"
)]
pub trait TraceField: Copy + Send + 'static {}

macro_rules! trace_fields {
    ($($ty:ty),* $(,)?) => { $( impl TraceField for $ty {} )* };
}

trace_fields! {
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char,
    core::net::Ipv4Addr, core::net::Ipv6Addr, core::net::IpAddr,
    crate::SwIfIndex, crate::header::IpProtocol, crate::header::U16Be, crate::header::U32Be,
    crate::header::MacAddress,
}

impl<T: TraceField, const N: usize> TraceField for [T; N] {}
impl<T: TraceField> TraceField for Option<T> {}

/// The node leaves no trace records.
#[derive(Clone, Copy, Debug)]
pub enum NoTrace {}

impl Display for NoTrace {
    fn fmt(&self, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {}
    }
}

impl Trace for NoTrace {}

/// Largest trace record, in bytes: what fits into the room that untraced packets share, less its header.
pub(crate) const MAX_RECORD: usize = vppkit_sys::vlib::trace::VNET_TRACE_PLACEHOLDER_SIZE
    - size_of::<vppkit_sys::vlib::trace::vlib_trace_header_t>();
