//! A running VPP.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, geteuid, kill_process, kill_process_group};
use tempfile::TempDir;

use crate::config::Config;
use crate::error::StartError;
use crate::installation::Installation;
use crate::log::tail;

/// How long a VPP may take to answer its first command.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a VPP may take to end when it is told to.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// A VPP ends after this time by itself, even if the program that started it was killed.
const LIFE: Duration = Duration::from_secs(1800);

/// A running VPP. It is stopped, and its files are removed, when the value is dropped.
#[derive(Debug)]
pub struct Vpp {
    installation: Installation,
    child: Child,
    folder: TempDir,
    cancel: Option<Arc<AtomicBool>>,
}

impl Vpp {
    /// Starts a VPP and waits until it answers.
    ///
    /// # Errors
    /// See [`StartError`]. Nothing is left running.
    pub fn start(installation: &Installation, config: &Config) -> Result<Self, StartError> {
        let folder = make_folder()?;
        let plugins = folder.path().join("plugins");
        make(&plugins, |path| fs::DirBuilder::new().mode(0o755).create(path))?;
        for plugin in &config.plugins {
            fs::copy(plugin, plugins.join(plugin_name(plugin)))
                .map_err(|why| StartError::Plugin { plugin: plugin.clone(), why: why.to_string() })?;
        }
        let startup = folder.path().join("startup.conf");
        make(&startup, |path| fs::write(path, config.text(folder.path(), &name(folder.path()))))?;
        let output = folder.path().join("output");
        let mut file = None;
        make(&output, |path| File::create(path).map(|made| file = Some(made)))?;
        let (Some(stdout), Some(Ok(stderr))) = (&file, file.as_ref().map(File::try_clone)) else {
            return Err(StartError::Io { path: output, why: io::Error::other("cannot be shared") });
        };

        // `timeout` bounds its life even if this program is killed; a group of its own lets both be stopped together.
        let mut command = Command::new("timeout");
        command.arg("--kill-after=5").arg(LIFE.as_secs().to_string());
        let vpp = installation.command("vpp");
        if config.shares_cores() {
            share_cores(&mut command, folder.path(), config.workers)?;
        }
        command.arg(vpp.get_program()).arg("-c").arg(&startup);
        command.envs(vpp.get_envs().filter_map(|(key, value)| Some((key, value?))));
        command.process_group(0).stdin(Stdio::null()).stderr(stderr);
        let stdout = stdout.try_clone().map_err(|why| StartError::Io { path: output.clone(), why })?;
        let child = command.stdout(stdout).spawn();
        let child = child.map_err(|why| StartError::Program { program: "timeout", why })?;
        let cancel = config.cancel.clone();
        let mut vpp = Self { installation: installation.clone(), child, folder, cancel };
        vpp.wait_until_it_answers()?;
        Ok(vpp)
    }

    fn wait_until_it_answers(&mut self) -> Result<(), StartError> {
        let start = Instant::now();
        loop {
            if self.is_cancelled() {
                return Err(StartError::Interrupted);
            }
            let version = self.installation.version().to_owned();
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(StartError::Ended { version, status, log: self.log_tail() });
            }
            if self.socket().exists() && self.cli("show version").is_ok_and(|text| text.contains("vpp v")) {
                return Ok(());
            }
            if start.elapsed() > START_TIMEOUT {
                let (seconds, log) = (START_TIMEOUT.as_secs(), self.log_tail());
                return Err(StartError::Silent { version, seconds, log });
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The installation that it was started from.
    pub fn installation(&self) -> &Installation {
        &self.installation
    }

    /// Its folder, for files that its commands read.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// How it ended, if it has or does within a second. One that has crashed takes a moment for that.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if start.elapsed() < Duration::from_secs(1) => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    /// The end of what it printed.
    pub fn log_tail(&self) -> String {
        tail(&self.folder.path().join("output"), 20)
    }

    /// Whether the caller wants no more answers.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.path().join("cli.sock")
    }
}

impl Drop for Vpp {
    fn drop(&mut self) {
        // `timeout` passes the first signal on to VPP and waits for it. Who does not end then is killed.
        let timeout = Pid::from_child(&self.child);
        let _ = kill_process(timeout, Signal::TERM);
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && start.elapsed() < END_TIMEOUT {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = kill_process_group(timeout, Signal::KILL);
        let _ = self.child.wait();
        // VPP removes its shared memory only when it ends in its own time.
        let prefix = format!("{}-", name(self.folder.path()));
        for file in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
            if file.file_name().to_string_lossy().starts_with(&prefix) {
                let _ = fs::remove_file(file.path());
            }
        }
    }
}

/// A folder of its own. Its name stands in VPP's configuration, and sockets are in it.
fn make_folder() -> Result<TempDir, StartError> {
    /// What the system takes for the name of a socket, less the longest name in the folder.
    const LONGEST: usize = 107 - "/stats.sock".len();
    let parent = std::env::temp_dir();
    let no = |why: String| StartError::Folder { parent: parent.clone(), why };
    let folder =
        tempfile::Builder::new().prefix("vppkit-").tempdir().map_err(|error| no(error.to_string()))?;
    let Some(text) = folder.path().to_str() else { return Err(no("its name is not UTF-8".into())) };
    if text.len() > LONGEST {
        return Err(no(format!("its name is longer than the {LONGEST} bytes that sockets leave")));
    }
    if text.contains(|c: char| c.is_whitespace() || "{}#".contains(c)) {
        return Err(no("VPP's configuration cannot hold a name with a space, a brace or `#`".into()));
    }
    Ok(folder)
}

/// The name of a VPP's folder, which no other VPP of the machine has.
fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The start of a command that gives the rest of it a mount namespace of its own. VPPs with more threads than the machine
/// has cores are started so.
pub fn own_mounts() -> &'static [&'static str] {
    const COMMAND: &[&str] = &["unshare", "--mount", "--propagation", "private", "--map-root-user"];
    if geteuid().is_root() { &COMMAND[..COMMAND.len() - 1] } else { COMMAND }
}

/// VPP refuses to run more threads than the machine has cores. Where a test needs more, VPP gets a view of the file in
/// which it counts cores that has enough. It takes a mount namespace of its own, and so root or a user namespace too.
fn share_cores(command: &mut Command, folder: &Path, workers: u16) -> Result<(), StartError> {
    let cores = folder.join("online");
    make(&cores, |path| fs::write(path, format!("0-{workers}\n")))?;
    let script = "mount --bind \"$1\" /sys/devices/system/cpu/online && shift && exec \"$@\"";
    command.args(own_mounts()).args(["sh", "-c", script, "sh"]).arg(cores);
    Ok(())
}

fn make(path: &Path, how: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), StartError> {
    how(path).map_err(|why| StartError::Io { path: path.to_owned(), why })
}

/// The name that a plugin's file gets in VPP, which is that of VPP's own: `libdrop_icmp.so` becomes
/// `drop_icmp_plugin.so`.
pub fn plugin_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_prefix("lib").unwrap_or(&stem);
    if stem.ends_with("_plugin") { format!("{stem}.so") } else { format!("{stem}_plugin.so") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_named_as_vpp_names_them() {
        for (file, name) in [
            ("target/release/libdrop_icmp.so", "drop_icmp_plugin.so"),
            ("acl_plugin.so", "acl_plugin.so"),
            ("x.so", "x_plugin.so"),
        ] {
            assert_eq!(plugin_name(Path::new(file)), name);
        }
    }
}
