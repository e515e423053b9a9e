//! Where the headers of VPP are, and which VPP they are of.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The headers of an installed VPP.
#[derive(Debug, PartialEq, Eq)]
pub struct Headers {
    /// The directory that holds `vlib/vlib.h`.
    pub include: PathBuf,
    /// VPP's version string, like `26.06-release`.
    pub version: String,
}

/// The places to look in, first to last.
#[derive(Debug)]
pub struct Places {
    /// `VPP_PREFIX`. If it is set nothing else is looked at.
    pub prefix: Option<OsString>,
    /// Directories that may hold a `vpp.pc`.
    pub pkg_config: Vec<PathBuf>,
    /// Directories that may hold `vlib/vlib.h`.
    pub include: Vec<PathBuf>,
}

impl Places {
    pub fn of_this_machine() -> Self {
        for variable in ["VPP_PREFIX", "PKG_CONFIG_PATH"] {
            println!("cargo::rerun-if-env-changed={variable}");
        }
        let triplet = format!("{}-linux-gnu", env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default());
        let mut pkg_config: Vec<PathBuf> =
            env::var_os("PKG_CONFIG_PATH").iter().flat_map(env::split_paths).collect();
        for base in ["/usr/local", "/usr"] {
            for below in ["lib", &format!("lib/{triplet}"), "lib64", "share"] {
                pkg_config.push(Path::new(base).join(below).join("pkgconfig"));
            }
        }
        Self {
            prefix: env::var_os("VPP_PREFIX").filter(|prefix| !prefix.is_empty()),
            pkg_config,
            include: ["/usr/local/include", "/opt/vpp/include", "/usr/include"].map(PathBuf::from).into(),
        }
    }

    /// The first headers, or a sentence that says what to install or set.
    pub fn find(&self) -> Result<Headers, String> {
        let include = match &self.prefix {
            Some(prefix) => in_prefix(Path::new(prefix))?,
            None => self
                .pkg_config
                .iter()
                .filter_map(|directory| include_of_pc(&directory.join("vpp.pc")))
                .chain(self.include.iter().cloned())
                .find(|include| has_headers(include))
                .ok_or(
                    "the feature `bindgen` needs the headers of VPP, and there are none: install them (Debian: \
                     vpp-dev and libvppinfra-dev) or set VPP_PREFIX to the directory that holds include/vlib/vlib.h",
                )?,
        };
        let version = version(&include)?;
        Ok(Headers { include, version })
    }
}

fn in_prefix(prefix: &Path) -> Result<PathBuf, String> {
    let include = prefix.join("include");
    if has_headers(&include) {
        return Ok(include);
    }
    let several = prefix.to_string_lossy().contains(':');
    let hint = if several { "; a build takes one prefix" } else { "" };
    Err(format!(
        "VPP_PREFIX is {}, but {} does not exist: set it to the directory that holds include/vlib/vlib.h{hint}",
        prefix.display(),
        include.join("vlib/vlib.h").display(),
    ))
}

fn has_headers(include: &Path) -> bool {
    include.join("vlib/vlib.h").is_file()
}

/// What a `.pc` file calls `includedir`.
fn include_of_pc(pc: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(pc).ok()?;
    let variable = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == name).then(|| value.trim())
        })
    };
    let include = variable("includedir")?;
    Some(PathBuf::from(include.replace("${prefix}", variable("prefix").unwrap_or_default())))
}

fn version(include: &Path) -> Result<String, String> {
    let header = include.join("vpp/app/version.h");
    let text = fs::read_to_string(&header).map_err(|error| {
        format!("{} says which VPP the headers are of, but cannot be read: {error}", header.display())
    })?;
    text.lines()
        .find_map(|line| {
            line.strip_prefix("#define VPP_BUILD_VER")?.trim().strip_prefix('"')?.strip_suffix('"')
        })
        .map(str::to_owned)
        .ok_or(format!("{} has no VPP_BUILD_VER, which says which VPP the headers are of", header.display()))
}
