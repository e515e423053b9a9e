//! Interfaces.

use core::fmt;

/// Index of a software interface: VPP's `sw_if_index`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SwIfIndex(u32);

impl SwIfIndex {
    /// The interface with this index, which VPP gave.
    pub(crate) const fn new(index: u32) -> Self {
        Self(index)
    }

    /// VPP's number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for SwIfIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for SwIfIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SwIfIndex({})", self.0)
    }
}
