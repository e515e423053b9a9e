//! Features and buffer metadata: mirrors of `vnet/*.h`.

pub mod buffer;
pub mod config;
pub mod feature;
