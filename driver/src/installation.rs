//! Where a VPP is installed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::version;

/// A VPP under a prefix, as `make install` or a package leaves it.
#[derive(Clone, Debug)]
pub struct Installation {
    prefix: PathBuf,
    version: String,
}

/// Why a prefix holds no VPP that can be started.
#[derive(Debug, thiserror::Error)]
pub enum NoVpp {
    /// There is no such file.
    #[error("{prefix} holds no VPP: {missing} is missing", prefix = .prefix.display(), missing = .missing.display())]
    Missing {
        /// The prefix.
        prefix: PathBuf,
        /// What would be there.
        missing: PathBuf,
    },
    /// The program is no VPP.
    #[error("{} is no VPP: {why}", .vpp.display())]
    Unusable {
        /// The binary.
        vpp: PathBuf,
        /// What it lacks.
        why: String,
    },
}

impl Installation {
    /// The VPP under `prefix`: `prefix/bin/vpp` and `prefix/bin/vppctl`.
    ///
    /// # Errors
    /// A sentence that names what is missing.
    pub fn at(prefix: impl AsRef<Path>) -> Result<Self, NoVpp> {
        let prefix = prefix.as_ref();
        let mut installation = Self { prefix: prefix.to_owned(), version: String::new() };
        for program in ["vpp", "vppctl"] {
            let missing = installation.program(program);
            if !missing.is_file() {
                return Err(NoVpp::Missing { prefix: prefix.to_owned(), missing });
            }
        }
        let vpp = installation.program("vpp");
        installation.version = version::read(&vpp).map_err(|why| NoVpp::Unusable { vpp, why })?;
        Ok(installation)
    }

    /// The VPPs that the environment variable `VPP_PREFIX` names, separated by `:`. `None` if it is not set or empty.
    ///
    /// # Errors
    /// The first prefix that holds no VPP.
    pub fn from_env() -> Result<Option<Vec<Self>>, NoVpp> {
        match std::env::var_os("VPP_PREFIX") {
            Some(prefixes) if !prefixes.is_empty() => {
                std::env::split_paths(&prefixes).map(Self::at).collect::<Result<_, _>>().map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The prefix.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// What VPP says of itself, like `26.06-release`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The release that its version stands for, if plugins can be loaded in it.
    pub fn release(&self) -> Option<&'static str> {
        vppkit_sys::release::find(&self.version).ok().map(|release| release.name)
    }

    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    /// A command that finds this installation's libraries.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.program(program));
        command.env("LD_LIBRARY_PATH", self.library_path());
        command
    }

    /// Where libraries are under a prefix: Debian's folder, or the plain one.
    fn library_path(&self) -> OsString {
        let lib = self.prefix.join("lib");
        let folders =
            [lib.join(format!("{}-linux-gnu", std::env::consts::ARCH)), self.prefix.join("lib64"), lib];
        let mut path = OsString::new();
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            if !path.is_empty() {
                path.push(":");
            }
            path.push::<&OsStr>(folder.as_ref());
        }
        path
    }
}
