//! What the tests of real VPPs share: runs that must leave nothing behind.
#![allow(dead_code, reason = "each test file uses a part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

pub fn capture(name: &str) -> String {
    repository().join("examples/drop-icmp/captures").join(name).display().to_string()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A plugin: the example, or one that VPP refuses. Debug builds are quicker made.
pub fn plugin(name: &str) -> String {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| build(&[]).join("debug")).join(format!("lib{name}.so")).display().to_string()
}

/// The same as authors ship it.
pub fn release_plugin(name: &str) -> String {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| build(&["--release"]).join("release"));
    folder.join(format!("lib{name}.so")).display().to_string()
}

/// Builds the plugins and returns cargo's target folder.
fn build(more: &[&str]) -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "-p", "drop-icmp", "-p", "conformance-refuses"]).args(more);
    assert!(cargo.current_dir(repository()).status().unwrap().success());
    // The test is TARGET/debug/deps/TEST.
    std::env::current_exe().unwrap().ancestors().nth(3).unwrap().to_owned()
}

/// A run with a folder of its own for temporary files, which tells its VPPs from all others.
pub struct Run {
    folder: TempDir,
    command: Command,
}

impl Run {
    /// `cargo vpp ARGS`.
    pub fn new<S: AsRef<str>>(args: &[S]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-vpp"));
        command.arg("vpp").args(args.iter().map(AsRef::as_ref)).current_dir(repository());
        command.env("TMPDIR", folder.path()).env_remove("VPP_PREFIX");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { folder, command }
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn spawn(mut self) -> Running {
        let child = self.command.spawn().unwrap();
        Running { folder: self.folder, child }
    }

    /// Waits for its end and makes sure that nothing is left.
    pub fn output(self) -> Output {
        self.spawn().finish()
    }
}

pub struct Running {
    folder: TempDir,
    child: Child,
}

impl Running {
    /// Waits until its VPP has a folder and this file in it.
    pub fn wait_for(&self, file: &str) {
        let start = Instant::now();
        while !self.folders().iter().any(|folder| folder.join(file).exists()) {
            assert!(start.elapsed() < Duration::from_secs(60), "no {file}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn signal(&self, name: &str) {
        signal(&self.child.id().to_string(), name);
    }

    /// Sends it to the VPP, not to `cargo vpp`.
    pub fn signal_vpp(&self, name: &str) {
        let folder = self.folder.path().display().to_string();
        let is_vpp = |line: &str| line.split(' ').next().is_some_and(|program| program.ends_with("bin/vpp"));
        let vpp = processes_with(&folder).into_iter().find(|(_, line)| is_vpp(line));
        signal(&vpp.unwrap().0, name);
    }

    pub fn finish(self) -> Output {
        let folders = self.folders();
        let output = self.child.wait_with_output().unwrap();
        let stderr = text(&output.stderr);
        let left: Vec<_> = fs::read_dir(self.folder.path()).unwrap().flatten().map(|e| e.path()).collect();
        assert!(left.is_empty(), "left behind: {left:?}\n{stderr}");
        let processes = processes_with(&self.folder.path().display().to_string());
        assert!(processes.is_empty(), "still running: {processes:?}\n{stderr}");
        let names: Vec<_> = folders.iter().map(|folder| file_name(folder)).collect();
        let shared = fs::read_dir("/dev/shm").into_iter().flatten().flatten().map(|e| file_name(&e.path()));
        let shared: Vec<_> = shared.filter(|file| names.iter().any(|name| file.starts_with(name))).collect();
        assert!(shared.is_empty(), "left in /dev/shm: {shared:?}\n{stderr}");
        output
    }

    /// Those of its VPPs.
    fn folders(&self) -> Vec<PathBuf> {
        fs::read_dir(self.folder.path()).unwrap().flatten().map(|entry| entry.path()).collect()
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn signal(pid: &str, name: &str) {
    assert!(Command::new("kill").args(["-s", name, pid]).status().unwrap().success());
}

/// Numbers and command lines of processes that name this text.
fn processes_with(name: &str) -> Vec<(String, String)> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        Some((file_name(&entry.path()), String::from_utf8_lossy(&line).replace('\0', " ")))
    });
    lines.filter(|(_, line)| line.contains(name)).collect()
}

/// Asserts an exit code and one message.
#[track_caller]
pub fn assert_fails(output: &Output, code: i32, expected: &[&str]) {
    let stderr = text(&output.stderr);
    assert_eq!(code_of(output.status), code, "{stderr}");
    assert!(stderr.starts_with("error: ") && !stderr.contains("panicked"), "{stderr}");
    for expected in expected {
        assert!(stderr.contains(expected), "no {expected:?} in\n{stderr}");
    }
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
}

pub fn code_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}
