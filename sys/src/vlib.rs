//! The graph: mirrors of `vlib/*.h`, one module per subject.

pub mod buffer;
pub mod buffer_funcs;
pub mod cli;
pub mod error;
pub mod frame;
pub mod init;
pub mod main;
pub mod node;
pub mod plugin;
pub mod trace;
