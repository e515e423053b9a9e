//! What the checks in `tests/conformance` share: the plugins, and a VPP that is ready for packets.

mod plugins;
mod ready;
mod replay;

pub use plugins::Plugins;
pub use ready::{Setup, start, start_with};
pub use replay::{Outcome, in_host, in_vpp};
