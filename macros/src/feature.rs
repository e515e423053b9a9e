//! `#[vnet_feature]`: a node goes onto a feature arc. `#[vlib_node]` above it reads it.

mod model;
mod parse;

pub use model::Feature;

/// The attribute's name.
pub const ATTRIBUTE: &str = "vnet_feature";

/// What it does to a node.
pub const DOES: &str = "puts a node onto a feature arc";
