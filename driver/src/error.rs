//! Why a VPP did not start.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Why a VPP did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// There is no place for its files.
    #[error("no folder for VPP's files can be made in {}: {why}; the environment variable TMPDIR can name another", .parent.display())]
    Folder {
        /// Where it was to be made.
        parent: PathBuf,
        /// Why not.
        why: String,
    },
    /// A plugin cannot be put where VPP loads plugins from.
    #[error("the plugin {} cannot be copied to VPP's plugins: {why}", .plugin.display())]
    Plugin {
        /// The file.
        plugin: PathBuf,
        /// Why not.
        why: String,
    },
    /// A file or folder cannot be made.
    #[error("{}: {why}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// The program that starts it is not there.
    #[error("`{program}`, which starts VPP, cannot be run: {why}")]
    Program {
        /// Which.
        program: &'static str,
        /// Why not.
        why: io::Error,
    },
    /// It ended.
    #[error("VPP {version} ended at start ({status}); {}", log_text(.log))]
    Ended {
        /// Which.
        version: String,
        /// How.
        status: ExitStatus,
        /// Its last lines.
        log: String,
    },
    /// It does not answer.
    #[error("VPP {version} did not answer within {seconds} seconds; {}", log_text(.log))]
    Silent {
        /// Which.
        version: String,
        /// How long it was waited for.
        seconds: u64,
        /// Its last lines.
        log: String,
    },
    /// The flag of [`Config::cancel`](crate::Config::cancel) was set.
    #[error("interrupted")]
    Interrupted,
}

fn log_text(log: &str) -> String {
    if log.is_empty() { "it printed nothing".into() } else { format!("the end of its log:\n{log}") }
}
