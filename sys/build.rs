//! Without the feature `bindgen` there is nothing to do: the mirror in `src/` is the ABI.
fn main() {}
