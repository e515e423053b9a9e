//! Each file in `ui/` is one misuse; the `.stderr` beside it is what rustc must say.

use std::io::Write as _;
use std::process::Command;

/// The compiler that the snapshots are for. Messages of rustc's own change between versions.
const PINNED: &str = "rustc 1.95.";

#[test]
fn misuse_gets_its_message() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&output.stdout);
    if !version.starts_with(PINNED) {
        // Not `eprintln!`: the test runner keeps what a passing test prints to itself.
        let skipped =
            format!("SKIPPED misuse_gets_its_message: the snapshots are for {PINNED}x, this is {version}");
        std::io::stderr().write_all(skipped.as_bytes()).expect("standard error is there");
        return;
    }
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
