//! `cargo vpp run --vpp-prefix` where there is no VPP, or one that fails: a clear message, and nothing is left.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use common::{Run, assert_fails, capture, code_of, plugin, text};

/// A prefix with a program in the place of VPP that carries a version as VPP does, and a vppctl that never answers.
fn fake_prefix(main: &str) -> TempDir {
    let prefix = tempfile::tempdir().unwrap();
    let bin = prefix.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let source = prefix.path().join("vpp.c");
    let program = format!(
        "#include <stdio.h>\n#include <unistd.h>\nchar *vlib_plugin_app_version = \"26.06-fake\";\nint main(void) {{ {main} }}\n"
    );
    fs::write(&source, program).unwrap();
    let status = Command::new("cc").arg("-rdynamic").arg(&source).arg("-o").arg(bin.join("vpp")).status();
    assert!(status.unwrap().success());
    script(&bin.join("vppctl"), "exit 1");
    prefix
}

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(plugin: &str, prefix: &Path) -> Run {
    let prefix = prefix.display().to_string();
    Run::new(&["run", plugin, "--pcap", &capture("ping.pcap"), "--vpp-prefix", &prefix])
}

#[test]
fn a_prefix_without_vpp() {
    let prefix = tempfile::tempdir().unwrap();
    let output = run(&plugin("drop_icmp"), prefix.path()).output();
    assert_fails(&output, 1, &["holds no VPP: ", "bin/vpp is missing"]);
}

#[test]
fn something_else_in_the_place_of_vpp() {
    let prefix = tempfile::tempdir().unwrap();
    fs::create_dir(prefix.path().join("bin")).unwrap();
    for program in ["vpp", "vppctl"] {
        script(&prefix.path().join("bin").join(program), "exit 0");
    }
    let output = run(&plugin("drop_icmp"), prefix.path()).output();
    assert_fails(&output, 1, &["bin/vpp is no VPP: "]);
}

#[test]
fn a_vpp_that_dies_at_start() {
    let prefix = fake_prefix("puts(\"no memory for the heap\"); return 3;");
    let output = run(&plugin("drop_icmp"), prefix.path()).output();
    let expected =
        ["VPP 26.06-fake ended at start (exit status: 3)", "the end of its log:\nno memory for the heap"];
    assert_fails(&output, 1, &expected);
    let prefix = fake_prefix("return 1;");
    let output = run(&plugin("drop_icmp"), prefix.path()).output();
    assert_fails(&output, 1, &["it printed nothing"]);
}

#[test]
fn signals_stop_a_vpp_that_does_not_answer() {
    let prefix = fake_prefix("for (;;) pause();");
    for signal in ["INT", "TERM", "HUP"] {
        let running = run(&plugin("drop_icmp"), prefix.path()).spawn();
        running.wait_for("output");
        let start = Instant::now();
        running.signal(signal);
        let output = running.finish();
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_eq!(code_of(output.status), 130, "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "interrupted; VPP was stopped\n");
    }
}

#[test]
fn a_plugin_for_another_processor() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.so");
    let mut bytes = fs::read(plugin("drop_icmp")).unwrap();
    // e_machine: EM_AARCH64.
    bytes[18..20].copy_from_slice(&183_u16.to_le_bytes());
    fs::write(&other, bytes).unwrap();
    let prefix = fake_prefix("return 0;");
    let output = run(&other.display().to_string(), prefix.path()).output();
    assert_fails(&output, 1, &["other.so: built for aarch64, this host is x86-64"]);
}

#[test]
fn a_plugin_that_cannot_be_read() {
    let prefix = fake_prefix("return 0;");
    // Reading from its start fails even for root.
    let output = run("/proc/self/mem", prefix.path()).output();
    assert_fails(&output, 1, &["the plugin /proc/self/mem: cannot be read: "]);
    let output = run("/no/such/plugin.so", prefix.path()).output();
    assert_fails(&output, 1, &["/no/such/plugin.so does not exist"]);
}

#[test]
fn no_place_for_the_files_of_vpp() {
    let prefix = fake_prefix("return 0;");
    let folder = tempfile::tempdir().unwrap();
    let long = folder.path().join("x".repeat(100));
    let spaced = folder.path().join("a b");
    for name in [&long, &spaced] {
        fs::create_dir(name).unwrap();
    }
    for (name, expected) in [
        (Path::new("/no/such/folder"), "No such file"),
        (Path::new("/proc"), "in /proc: "),
        (&long, "longer than"),
        (&spaced, "a name with a space"),
    ] {
        let output =
            run(&plugin("drop_icmp"), prefix.path()).env("TMPDIR", &name.display().to_string()).output();
        assert_fails(&output, 1, &["no folder for VPP's files can be made in ", expected, "TMPDIR"]);
    }
    for name in [long, spaced] {
        assert_eq!(fs::read_dir(name).unwrap().count(), 0, "nothing is left");
    }
}

#[test]
fn command_lines_that_make_no_sense() {
    let ping = capture("ping.pcap");
    for (args, expected) in [
        (&["--vpp", "25.10", "--vpp-prefix", "/usr"][..], "cannot be used with"),
        (&["--workers", "2"], "--vpp-prefix <PREFIX>"),
        (&["--vpp-prefix", "/usr", "--workers", "many"], "--workers"),
    ] {
        let output = Run::new(&[&["run", ".", "--pcap", &ping], args].concat()).output();
        assert_fails(&output, 2, &[expected]);
    }
}

#[test]
fn the_output_is_checked_first() {
    let prefix = fake_prefix("return 0;");
    let prefix = prefix.path().display().to_string();
    let ping = capture("ping.pcap");
    for (out, expected) in [
        ("/no/such/folder/out.pcap", "/no/such/folder/out.pcap"),
        (&*ping, "is also the capture that is read"),
    ] {
        let plugin = plugin("drop_icmp");
        let args = ["run", &plugin, "--pcap", &ping, "--vpp-prefix", &prefix, "--out", out];
        assert_fails(&Run::new(&args).output(), 1, &[expected]);
    }
}
