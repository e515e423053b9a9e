//! `cargo vpp doctor`: what this machine lacks, and what mends it.

mod build;
mod check;
mod here;
mod print;
mod system;
mod vpp;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use self::check::{Check, Purpose, Status};
use crate::args::Doctor;

pub(crate) fn run(args: &Doctor) -> Result<ExitCode> {
    let prefixes = prefixes(args);
    let checks = [build::checks(), here::checks(), vpp::checks(&prefixes), system::checks()].concat();
    let ready = is_ready(&checks);
    if args.json {
        print::json(&checks, ready)?
    } else {
        print::text(&checks)
    };
    Ok(if ready { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A real VPP is not needed to build plugins and to run them in the embedded host.
fn is_ready(checks: &[Check]) -> bool {
    !checks.iter().any(|check| check.purpose != Purpose::Vpp && check.status == Status::Missing)
}

/// Where a VPP may be, and whether the user says that there is one.
fn prefixes(args: &Doctor) -> Vec<(PathBuf, bool)> {
    let from_env = std::env::var_os("VPP_PREFIX").unwrap_or_default();
    let from_env = std::env::split_paths(&from_env).filter(|path| !path.as_os_str().is_empty());
    let named = args.vpp_prefix.iter().cloned().chain(from_env).map(|prefix| (prefix, true));
    let usual = ["/usr", "/usr/local"].map(|prefix| (PathBuf::from(prefix), false));
    let mut prefixes: Vec<(PathBuf, bool)> = Vec::new();
    for prefix in named.chain(usual) {
        if !prefixes.iter().any(|(known, _)| *known == prefix.0) {
            prefixes.push(prefix);
        }
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_building_and_the_embedded_host_need_counts() {
        let missing = |purpose| vec![Check::new(purpose, "x", Status::Missing, "no")];
        assert!(!is_ready(&missing(Purpose::Build)));
        assert!(!is_ready(&missing(Purpose::Here)));
        assert!(is_ready(&missing(Purpose::Vpp)));
        assert!(is_ready(&[Check::new(Purpose::Build, "x", Status::Note, "no")]));
    }
}
