//! Starts an installed VPP with a plugin in it, and drives it.
//!
//! A [`Vpp`] runs in a folder of its own, with sockets and names of its own, beside any other VPP of the machine. It is
//! stopped and its folder removed when the value is dropped, whatever happened.
//!
//! ```no_run
//! use vppkit_driver::{Config, Installation, Vpp};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let installation = Installation::at("/usr")?;
//! let vpp = Vpp::start(&installation, &Config::new().plugin("target/release/libdrop_icmp.so"))?;
//! println!("{}", vpp.cli("show plugins")?);
//! # Ok(())
//! # }
//! ```

mod cli;
mod config;
mod error;
mod generator;
mod installation;
mod log;
mod process;
pub mod replay;
pub mod show;
mod version;

pub use cli::CliError;
pub use config::Config;
pub use error::StartError;
pub use generator::{Source, Stream};
pub use installation::{Installation, NoVpp};
pub use process::{Vpp, own_mounts, plugin_name};
