//! Whether a node is on a feature arc.

mod sealed {
    pub trait Sealed {}
}

/// Whether a node is on a feature arc: [`OnArc`] or [`NoArc`].
pub trait Placement: sealed::Sealed + 'static {
    /// It is.
    const ON_ARC: bool;
}

/// The node is on at least one feature arc: it has `#[vnet_feature(..)]`.
#[derive(Debug)]
pub enum OnArc {}

/// The node is on no feature arc.
#[derive(Debug)]
pub enum NoArc {}

impl sealed::Sealed for OnArc {}
impl sealed::Sealed for NoArc {}

impl Placement for OnArc {
    const ON_ARC: bool = true;
}

impl Placement for NoArc {
    const ON_ARC: bool = false;
}
