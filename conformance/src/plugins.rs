//! The plugins' files: release builds, made once.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

/// The plugins that the checks load.
#[derive(Clone, Debug)]
pub struct Plugins {
    /// `examples/drop-icmp`.
    pub drop_icmp: PathBuf,
    /// Nodes around it.
    pub probe: PathBuf,
    /// One that refuses to load.
    pub refuses: PathBuf,
}

impl Plugins {
    /// Builds them.
    ///
    /// # Errors
    /// If they do not build.
    pub fn build() -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--release", "--quiet"]);
        command.args(["-p", "drop-icmp", "-p", "conformance-probe", "-p", "conformance-refuses"]);
        let status = command.current_dir(repository()).status()?;
        ensure!(status.success(), "the plugins do not build");
        let folder = target().join("release");
        let file = |name: &str| folder.join(format!("lib{name}.so"));
        Ok(Self {
            drop_icmp: file("drop_icmp"),
            probe: file("conformance_probe"),
            refuses: file("conformance_refuses"),
        })
    }
}

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Cargo's target folder: that of the running test, `TARGET/debug/deps/TEST`.
fn target() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    test.ancestors().nth(3).unwrap_or(Path::new("target")).to_owned()
}

/// The captures of `examples/drop-icmp`.
pub(crate) fn captures() -> PathBuf {
    repository().join("examples/drop-icmp/captures")
}
