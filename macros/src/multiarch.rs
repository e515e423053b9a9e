//! `#[multiarch]`: a node is compiled once more for each of these instruction sets. `#[vlib_node]` above it reads it.

pub mod isa;
mod model;

pub use model::Clones;

/// The attribute's name.
pub const ATTRIBUTE: &str = "multiarch";

/// What it does to a node.
pub const DOES: &str = "makes clones of a node";
