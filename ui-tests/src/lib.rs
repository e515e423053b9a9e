//! Nothing: this crate is its tests. See README.md.
