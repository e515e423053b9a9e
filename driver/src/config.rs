//! How a VPP is started: a minimal start-up configuration.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a VPP is to be started with.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub(crate) plugins: Vec<PathBuf>,
    pub(crate) workers: u16,
    pub(crate) default_variant: Option<String>,
    pub(crate) more_heap: u64,
    pub(crate) cancel: Option<Arc<AtomicBool>>,
}

impl Config {
    /// No plugins, no workers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads a plugin's `.so`.
    pub fn plugin(mut self, file: impl AsRef<Path>) -> Self {
        self.plugins.push(file.as_ref().to_owned());
        self
    }

    /// Runs this many workers beside the main thread.
    pub fn workers(mut self, workers: u16) -> Self {
        self.workers = workers;
        self
    }

    /// Makes nodes use their functions for one instruction-set variant: `node { default variant NAME }`.
    pub fn default_variant(mut self, name: impl Into<String>) -> Self {
        self.default_variant = Some(name.into());
        self
    }

    /// Gives VPP's heap this many bytes more than usual, for captures that the packet generator holds in it.
    pub fn more_heap(mut self, bytes: u64) -> Self {
        self.more_heap = bytes;
        self
    }

    /// Once the flag is set, waiting for this VPP ends with an error. A signal handler can set it.
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Whether there are more threads than the machine has cores.
    pub(crate) fn shares_cores(&self) -> bool {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        usize::from(self.workers) + 1 > cores
    }

    /// The start-up configuration for a VPP whose files are in `folder`. `name` is unique to this VPP.
    pub(crate) fn text(&self, folder: &Path, name: &str) -> String {
        let Self { plugins: _, workers, default_variant, more_heap, cancel: _ } = self;
        let folder = folder.display();
        let mut text = String::new();
        let mut section = |name: &str, lines: &[String]| {
            let _ = writeln!(text, "{name} {{");
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
            let _ = writeln!(text, "}}");
        };
        section(
            "unix",
            &[
                "nodaemon".into(),
                "nosyslog".into(),
                format!("cli-listen {folder}/cli.sock"),
                format!("runtime-dir {folder}"),
                format!("log {folder}/cli.log"),
            ],
        );
        // No name that another VPP of the machine may use.
        section("api-segment", &[format!("prefix {name}")]);
        section("socksvr", &[format!("socket-name {folder}/api.sock")]);
        section(
            "statseg",
            &[format!("socket-name {folder}/stats.sock"), "size 32M".into(), "page-size 4k".into()],
        );
        section("plugins", &[format!("path {folder}/plugins"), "plugin default { enable }".into()]);
        // Small pages and no devices: nothing that needs a prepared machine.
        let heap = 512 + more_heap.div_ceil(1 << 20);
        section("memory", &[format!("main-heap-size {heap}M"), "main-heap-page-size 4k".into()]);
        section("buffers", &["buffers-per-numa 32768".into(), "page-size 4k".into()]);
        section("logging", &["default-log-level debug".into(), "default-syslog-log-level disabled".into()]);
        let mut cpu = Vec::new();
        if *workers > 0 {
            cpu.push(format!("workers {workers}"));
        }
        if self.shares_cores() {
            // Plain threads, not one on each core.
            cpu.push("use-pthreads".into());
        }
        section("cpu", &cpu);
        if let Some(variant) = default_variant {
            section("node", &[format!("default {{ variant {variant} }}")]);
        }
        text
    }
}
