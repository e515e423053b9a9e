//! Builds a plugin's package and finds the `.so` that cargo made.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// The plugin's file: `plugin` itself if it is a file, else what its package builds.
pub(crate) fn plugin_file(plugin: &Path, release: bool) -> Result<PathBuf> {
    if plugin.is_file() {
        return Ok(plugin.to_owned());
    }
    if !plugin.exists() {
        bail!("{} does not exist: give a package's folder or a built .so file", plugin.display());
    }
    let manifest = plugin.join("Cargo.toml");
    if !manifest.is_file() {
        bail!("{} has no Cargo.toml: give a package's folder or a built .so file", plugin.display());
    }
    build(&manifest.canonicalize()?, release)
}

fn build(manifest: &Path, release: bool) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--lib", "--message-format=json-render-diagnostics"]);
    // A person sees that something goes on; a script sees what is wrong.
    if !std::io::stderr().is_terminal() {
        command.arg("--quiet");
    }
    command.arg("--manifest-path").arg(manifest);
    if release {
        command.arg("--release");
    }
    // Diagnostics go to standard error as they come; standard output is for us.
    let output = command.stderr(Stdio::inherit()).output().context("cannot run cargo")?;
    if !output.status.success() {
        bail!("the plugin does not build");
    }
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not UTF-8")?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| shared_object(&message, manifest))
        .with_context(|| {
            format!(
                "{} builds no shared object: write `crate-type = [\"cdylib\"]` under `[lib]`",
                manifest.display()
            )
        })
}

/// The shared object that a message of cargo's says this package's library became.
fn shared_object(message: &Value, manifest: &Path) -> Option<PathBuf> {
    if message["reason"] != "compiler-artifact" || Path::new(message["manifest_path"].as_str()?) != manifest {
        return None;
    }
    let files = message["filenames"].as_array()?;
    files
        .iter()
        .filter_map(Value::as_str)
        .map(PathBuf::from)
        .find(|file| file.extension().is_some_and(|e| e == "so"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_shared_object_is_that_of_the_package() {
        let manifest = Path::new("/p/Cargo.toml");
        let message = |manifest_path: &str, files: &[&str]| json!({ "reason": "compiler-artifact", "manifest_path": manifest_path, "filenames": files });
        for (message, expected) in [
            (message("/p/Cargo.toml", &["/t/libp.rlib", "/t/libp.so"]), Some("/t/libp.so")),
            (message("/p/Cargo.toml", &["/t/libp.rlib"]), None),
            (message("/q/Cargo.toml", &["/t/libq.so"]), None),
            (json!({ "reason": "build-finished" }), None),
        ] {
            assert_eq!(shared_object(&message, manifest), expected.map(PathBuf::from), "{message}");
        }
    }
}
