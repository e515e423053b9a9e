//! What building a plugin needs: Rust and a linker.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::check::{Check, Purpose, Status};

/// The oldest Rust that builds plugins.
const OLDEST: (u32, u32) = (1, 89);
const INSTALL_RUST: &str = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh";

pub(super) fn checks() -> Vec<Check> {
    vec![rust("rustc"), rust("cargo"), linker()]
}

fn rust(program: &'static str) -> Check {
    let check = |status, found: String| Check::new(Purpose::Build, program, status, found);
    let Some(line) = first_line(Command::new(program).arg("--version")) else {
        return check(Status::Missing, format!("`{program} --version` does not run")).fix(INSTALL_RUST);
    };
    match version(&line) {
        Some(found) if found >= OLDEST => check(Status::Ok, line),
        _ => {
            let (major, minor) = OLDEST;
            let has_rustup = first_line(Command::new("rustup").arg("--version")).is_some();
            let fix = if has_rustup { "rustup update stable && rustup default stable" } else { INSTALL_RUST };
            check(Status::Missing, format!("{line}; {major}.{minor} or later is needed")).fix(fix)
        }
    }
}

/// A C compiler that links: a compiler alone has no start files of the C library.
fn linker() -> Check {
    let check = |status, found: &str| Check::new(Purpose::Build, "C linker", status, found);
    let fix = "sudo apt-get install gcc libc6-dev";
    let Some(line) = first_line(Command::new("cc").arg("--version")) else {
        return check(Status::Missing, "`cc --version` does not run").fix(fix);
    };
    if links() {
        check(Status::Ok, &line)
    } else {
        check(Status::Missing, &format!("{line}; it does not link")).fix(fix)
    }
}

fn links() -> bool {
    let child = Command::new("cc")
        .args(["-shared", "-x", "c", "-", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    let written = child.stdin.take().is_some_and(|mut stdin| stdin.write_all(b"int x;\n").is_ok());
    child.wait().is_ok_and(|status| status.success()) && written
}

/// The first line that a command prints, if it succeeds.
fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
}

/// Major and minor of a line like `rustc 1.89.0 (29483883e 2025-08-04)`.
fn version(line: &str) -> Option<(u32, u32)> {
    let mut numbers = line.split_whitespace().nth(1)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_rust() {
        for (line, expected) in [
            ("rustc 1.89.0 (29483883e 2025-08-04)", Some((1, 89))),
            ("cargo 1.95.0-nightly (abc 2026-03-01)", Some((1, 95))),
            ("rustc 2.0", Some((2, 0))),
            ("rustc", None),
            ("rustc nightly", None),
            ("", None),
        ] {
            assert_eq!(version(line), expected, "{line:?}");
        }
    }
}
