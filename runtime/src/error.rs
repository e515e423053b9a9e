//! A node's error counters.

use core::ffi::CStr;

/// How bad it is that a counter counts: `enum vl_counter_severity_e`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Severity {
    /// `VL_COUNTER_SEVERITY_ERROR`
    Error,
    /// `VL_COUNTER_SEVERITY_WARN`
    Warn,
    /// `VL_COUNTER_SEVERITY_INFO`
    Info,
}

impl Severity {
    pub(crate) const fn raw(self) -> u32 {
        match self {
            Severity::Error => vppkit_sys::vlib::error::VL_COUNTER_SEVERITY_ERROR,
            Severity::Warn => vppkit_sys::vlib::error::VL_COUNTER_SEVERITY_WARN,
            Severity::Info => vppkit_sys::vlib::error::VL_COUNTER_SEVERITY_INFO,
        }
    }
}

/// One error counter: `vlib_error_desc_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCounter {
    pub(crate) name: &'static CStr,
    pub(crate) description: &'static CStr,
    pub(crate) severity: Severity,
}

impl ErrorCounter {
    /// A counter with its name in the stats segment, and the description that `show errors` prints.
    pub const fn new(name: &'static CStr, description: &'static CStr, severity: Severity) -> Self {
        Self { name, description, severity }
    }

    /// The name in the stats segment.
    pub const fn name(&self) -> &'static CStr {
        self.name
    }

    /// What `show errors` prints.
    pub const fn description(&self) -> &'static CStr {
        self.description
    }

    /// How bad it is.
    pub const fn severity(&self) -> Severity {
        self.severity
    }
}

/// The error counters of a node: `.error_counters` of `VLIB_REGISTER_NODE`. Use `#[derive(NodeErrors)]`.
///
/// ```
/// use vppkit::prelude::*;
///
/// #[derive(NodeErrors)]
/// enum Error {
///     /// packets shorter than their header
///     Short,
///     /// packets let through
///     #[error(severity = info, name = "passed")]
///     Ok,
/// }
///
/// assert_eq!(Error::COUNTERS[0].name(), c"short");
/// assert_eq!(Error::COUNTERS[1].description(), c"packets let through");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no error counters",
    label = "not an enum of error counters",
    note = "write `#[derive(NodeErrors)]` on the enum, and a `///` line on each variant"
)]
pub trait NodeErrors: Sized + 'static {
    /// The counters, by code.
    const COUNTERS: &'static [ErrorCounter];

    /// This error's place in [`COUNTERS`](Self::COUNTERS). The derive gives no other; a value past its end is counted with
    /// panics.
    fn code(self) -> u16;
}

/// The node has no error counters of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoErrors {}

impl NodeErrors for NoErrors {
    const COUNTERS: &'static [ErrorCounter] = &[];

    fn code(self) -> u16 {
        match self {}
    }
}

/// Behind a node's own counters: packets of a frame that a panic cut short.
pub(crate) const PANIC: ErrorCounter =
    ErrorCounter::new(c"panic", c"packets dropped after a panic", Severity::Error);
