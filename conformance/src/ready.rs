//! A VPP that is ready for packets.

use std::path::PathBuf;

use anyhow::Result;
use vppkit_driver::{Config, Installation, Vpp};

/// Which VPP, and how many workers.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where it is installed.
    pub installation: Installation,
    /// Beside the main thread.
    pub workers: u16,
}

/// Ethernet address of the interface `pg0`.
pub(crate) const MAC: [u8; 6] = [0x02, 0xfe, 0, 0, 0, 1];

/// Starts a VPP with these plugins and an interface.
///
/// # Errors
/// If it does not start or refuses a command.
pub fn start(setup: &Setup, plugins: &[&PathBuf]) -> Result<Vpp> {
    start_with(setup, plugins, |config| config)
}

/// The same with more in its configuration.
///
/// # Errors
/// If it does not start or refuses a command.
pub fn start_with(setup: &Setup, plugins: &[&PathBuf], more: impl FnOnce(Config) -> Config) -> Result<Vpp> {
    let config =
        plugins.iter().fold(Config::new().workers(setup.workers), |config, plugin| config.plugin(plugin));
    let vpp = Vpp::start(&setup.installation, &more(config))?;
    let mac = MAC.map(|byte| format!("{byte:02x}")).join(":");
    vpp.create_interface(&mac, "203.0.113.1/24")?;
    Ok(vpp)
}
