//! Installed VPPs, and what compares with their headers.

use std::path::{Path, PathBuf};

use vppkit_driver::{Installation, NoVpp};
use vppkit_host::releases;

use super::check::{Check, Purpose, Status};

const INSTALL_VPP: &str =
    "sudo apt-get install vpp vpp-plugin-core (with FD.io's package repository set up, see https://fd.io)";

pub(super) fn checks(prefixes: &[(PathBuf, bool)]) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut found = Vec::new();
    for (prefix, named) in prefixes {
        match Installation::at(prefix) {
            Ok(installation) => {
                checks.push(installed(&installation));
                found.push(prefix.as_path());
            }
            // Nobody said that there is one.
            Err(NoVpp::Missing { .. }) if !named => {}
            Err(error) => checks.push(vpp(Status::Missing, error.to_string())),
        }
    }
    if found.is_empty() {
        let places =
            prefixes.iter().map(|(prefix, _)| prefix.display().to_string()).collect::<Vec<_>>().join(", ");
        let text = format!("none under {places}; --vpp-prefix or VPP_PREFIX can name another place");
        checks.push(vpp(Status::Missing, text).fix(INSTALL_VPP));
    }
    checks.push(headers(&found));
    checks.push(libclang());
    checks
}

fn vpp(status: Status, found: String) -> Check {
    Check::new(Purpose::Vpp, "VPP", status, found)
}

fn installed(installation: &Installation) -> Check {
    let what = format!("{} under {}", installation.version(), installation.prefix().display());
    match installation.release() {
        Some(release) => vpp(Status::Ok, format!("{what}, taken as {release}")),
        None => {
            let supported = releases().collect::<Vec<_>>().join(", ");
            vpp(Status::Note, format!("{what}, not supported; plugins load in {supported}"))
        }
    }
}

fn headers(prefixes: &[&Path]) -> Check {
    let check = |status, found: String| Check::new(Purpose::Vpp, "VPP's headers", status, found);
    let with: Vec<_> = prefixes
        .iter()
        .filter(|prefix| prefix.join("include/vlib/vlib.h").is_file())
        .map(|prefix| prefix.join("include").display().to_string())
        .collect();
    if with.is_empty() {
        return check(Status::Note, "none; only the feature `bindgen` of vppkit-sys reads them".into())
            .fix("sudo apt-get install vpp-dev libvppinfra-dev");
    }
    check(Status::Ok, with.join(", "))
}

fn libclang() -> Check {
    let check = |status, found: String| Check::new(Purpose::Vpp, "libclang", status, found);
    match folders_of_libraries().iter().find_map(|folder| library_in(folder)) {
        Some(file) => check(Status::Ok, file.display().to_string()),
        None => check(Status::Note, "none; only the feature `bindgen` of vppkit-sys uses it".into())
            .fix("sudo apt-get install libclang-dev"),
    }
}

fn folders_of_libraries() -> Vec<PathBuf> {
    let mut folders: Vec<_> = std::env::var_os("LIBCLANG_PATH").map(PathBuf::from).into_iter().collect();
    let llvm = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_llvm =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm-"));
    folders.extend(llvm.filter(is_llvm).map(|folder| folder.join("lib")));
    let multiarch = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    folders.extend([&multiarch, "/usr/lib64", "/usr/lib", "/usr/local/lib"].map(PathBuf::from));
    folders
}

fn library_in(folder: &Path) -> Option<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.into_iter().find(|file| file.file_name().is_some_and(|name| is_libclang(&name.to_string_lossy())))
}

/// `libclang.so`, `libclang.so.1`, `libclang-14.so.1`; not `libclang-cpp.so.14`.
fn is_libclang(name: &str) -> bool {
    let Some((stem, version)) = name.split_once(".so") else { return false };
    let number = stem.strip_prefix("libclang").map(|rest| rest.trim_start_matches('-'));
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '.');
    number.is_some_and(is_number) && is_number(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libclang_is_told_from_its_neighbours() {
        for name in ["libclang.so", "libclang.so.1", "libclang-14.so.1", "libclang-14.0.6.so"] {
            assert!(is_libclang(name), "{name}");
        }
        for name in ["libclang-cpp.so.14", "libclangAST.a", "libclang_rt.so", "libc.so.6", "libclang.a"] {
            assert!(!is_libclang(name), "{name}");
        }
    }

    #[test]
    fn a_named_prefix_without_vpp_is_missing_and_a_usual_one_is_not_mentioned() {
        let folder = tempfile::tempdir().unwrap();
        let prefixes = [(folder.path().join("named"), true), (folder.path().join("usual"), false)];
        let checks = checks(&prefixes);
        let vpps: Vec<_> = checks.iter().filter(|check| check.name == "VPP").collect();
        assert_eq!(vpps.len(), 2, "{vpps:?}");
        assert!(vpps[0].found.contains("named holds no VPP"), "{vpps:?}");
        assert!(vpps[1].found.starts_with("none under ") && vpps[1].fix.is_some(), "{vpps:?}");
    }
}
