//! Compiles `stub/exports.c` to a shared object, which the library embeds and loads at run time.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=stub/exports.c");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let object = out.join("exports.so");
    // Only the compiler's name and target flags: its warnings and debug settings are for static archives.
    let compiler = cc::Build::new().cargo_metadata(false).opt_level(2).get_compiler();
    let mut command: Command = compiler.to_command();
    command
        .args(["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-fvisibility=default", "-o"])
        .arg(&object)
        .arg("stub/exports.c");
    let output = command.output().unwrap_or_else(|error| {
        panic!("vppkit-host needs a C compiler; `{}` did not start: {error}", compiler.path().display())
    });
    if !output.status.success() {
        let _ = fs::remove_file(&object);
        panic!("stub/exports.c does not compile:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
