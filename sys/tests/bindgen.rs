//! The feature `bindgen` against installed headers.
//!
//! `VPP_PREFIX=/usr cargo test -p vppkit-sys --test bindgen -- --ignored`, or several prefixes with `:` between.

use std::env;
use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs the headers of VPP and libclang; set VPP_PREFIX, and run with --ignored"]
fn the_mirror_is_what_the_installed_headers_say() {
    let prefixes =
        env::var("VPP_PREFIX").expect("VPP_PREFIX names one prefix of VPP or several, with `:` between");
    for prefix in prefixes.split(':') {
        // The build compares; the unit tests of `raw` look at what the build cannot.
        let status = Command::new(env!("CARGO"))
            .args(["test", "--quiet", "--lib", "--features", "bindgen", "--manifest-path"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("bindgen"))
            .env("VPP_PREFIX", prefix)
            .status()
            .expect("cargo runs");
        assert!(status.success(), "{prefix}: see above");
        println!("{prefix}: the mirror agrees");
    }
}
