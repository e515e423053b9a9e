//! Plugins as files: a C plugin, and everything that makes VPP's loader refuse one.

mod common;

use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use vppkit_host::{Host, HostError, PluginError, PluginFile, ViolationKind, releases};
use vppkit_sys::release;
use vppkit_sys::vlib::buffer_funcs::vlib_buffer_func_main_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vnet::feature::vnet_feature_main_t;

struct Build {
    folder: TempDir,
    defines: Vec<String>,
    required: &'static str,
    early_init: &'static str,
    release: &'static str,
}

impl Build {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            defines: Vec::new(),
            required: "",
            early_init: "early_ok",
            release: "26.06",
        }
    }

    fn define(mut self, name: &str) -> Self {
        self.defines.push(format!("-D{name}"));
        self
    }

    fn plugin(&self) -> PathBuf {
        let path = self.folder.path().join("c_plugin.so");
        let release = release::find(self.release).unwrap();
        let output = Command::new(std::env::var("CC").unwrap_or("cc".into()))
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&path)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plugins/basic.c"))
            .arg(format!("-DNODE_REGISTRATIONS={}", release.vlib_global_main.node_registrations))
            .arg(format!("-DNEXT_FEATURE={}", offset_of!(vnet_feature_main_t, next_feature)))
            .arg(format!("-DBUFFER_MAIN={}", offset_of!(vlib_main_t, buffer_main)))
            .arg(format!(
                "-DENQUEUE_TO_SINGLE_NEXT={}",
                offset_of!(vlib_buffer_func_main_t, buffer_enqueue_to_single_next_fn)
            ))
            .arg(format!("-DVERSION_REQUIRED=\"{}\"", self.required))
            .arg(format!("-DEARLY_INIT=\"{}\"", self.early_init))
            .args(&self.defines)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        path
    }
}

fn refusal(path: &Path) -> PluginError {
    match Host::new().plugin(path).inject(common::udp(1)).run() {
        Err(HostError::Plugin { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_c_plugin_runs_in_every_release_each_time_with_fresh_statics() {
    for release in releases() {
        let build = Build { release, ..Build::new() };
        let plugin = build.plugin();
        for _ in 0..2 {
            let report =
                Host::new().vpp(release).plugin(&plugin).trace(2).inject(common::udp(300)).run().unwrap();
            assert_eq!(report.sink("ip4-lookup").len(), 300);
            assert_eq!(report.node("c-node").unwrap().plugin.as_deref(), Some("c_plugin.so"));
            assert_eq!(
                report.traces()[1].at("c-node").unwrap().text,
                "call 1|    7|ab   |  abc |000ff|BEEF|1099511627776|x|.50|1.234568e4|vec|%|   9|tr"
            );
            let lines: Vec<_> = report.log().iter().map(ToString::to_string).collect();
            assert_eq!(
                lines,
                [
                    "warn   c-plugin/start: hello log, 42",
                    "notice plugin/load: Loaded plugin: c_plugin.so (for tests)"
                ]
            );
        }
    }
}

#[test]
fn the_file_says_what_it_is() {
    let file = PluginFile::read(&Build { required: "26.0", ..Build::new() }.plugin()).unwrap();
    assert_eq!((file.version.as_str(), file.version_required.as_str()), ("1.2.3", "26.0"));
    assert!(!file.default_disabled);
    assert!(file.imports.contains(&"vlib_global_main".into()), "{:?}", file.imports);
    assert!(!file.imports.iter().any(|i| i.contains("finalize")), "{:?}", file.imports);
}

#[test]
fn no_shared_object() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plugin.so");
    assert!(matches!(refusal(&path), PluginError::Read(_)));
    for bytes in [&b""[..], b"text", b"\x7fELF", &[0x7f; 64]] {
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(refusal(&path), PluginError::NotElf(_)), "{bytes:?}");
    }
    let message = refusal(&std::env::current_exe().unwrap()).to_string();
    assert!(message.contains("no VPP plugin") || message.contains("not a shared one"), "{message}");
}

#[test]
fn another_machine() {
    let build = Build::new();
    let path = build.plugin();
    let good = std::fs::read(&path).unwrap();
    for (machine, name) in
        [(183_u16, "aarch64"), (62, "x86-64"), (40, "arm (32 bits)"), (243, "riscv (64 bits)")]
    {
        if good[18..20] == machine.to_le_bytes() {
            continue;
        }
        let mut bytes = good.clone();
        bytes[18..20].copy_from_slice(&machine.to_le_bytes());
        std::fs::write(&path, &bytes).unwrap();
        let message = refusal(&path).to_string();
        assert!(message.starts_with(&format!("built for {name}, this host is ")), "{message}");
    }
}

#[test]
fn no_registration() {
    let message = refusal(&Build::new().define("NO_REGISTRATION").plugin()).to_string();
    assert!(message.contains("section `.vlib_plugin_registration` is missing"), "{message}");
    assert!(message.contains("crate-type cdylib"), "{message}");
}

#[test]
fn another_vpp() {
    for (required, loads) in [
        ("", true),
        ("26", true),
        ("26.06", true),
        ("26.06-release", true),
        ("26.0", true),
        ("25.10", false),
        ("26.06-release-x", false),
    ] {
        let build = Build { required, ..Build::new() };
        let result = Host::new().plugin(build.plugin()).run();
        assert_eq!(result.is_ok(), loads, "{required}: {result:?}");
    }
    let message = refusal(&Build { required: "25.10", ..Build::new() }.plugin()).to_string();
    assert_eq!(message, "wants VPP `25.10`, this is `26.06-release`");
}

#[test]
fn symbols_that_nothing_has_are_listed() {
    let message = refusal(&Build::new().define("UNKNOWN_SYMBOL").plugin()).to_string();
    assert!(message.contains("vlib_no_such_function") && message.contains("vnet_no_such_data"), "{message}");
    assert!(!message.contains("vlib_add_trace"), "{message}");
}

#[test]
fn a_plugin_that_refuses() {
    let message = refusal(&Build { early_init: "early_refuse", ..Build::new() }.plugin()).to_string();
    assert_eq!(message, "refused to load: no licence for this");
    // It was unloaded: the next host starts empty.
    Host::new().inject(common::udp(1)).run().unwrap();
}

/// A plugin that ends the process is named before it does. The test runs itself, since its process ends.
#[test]
fn a_plugin_that_ends_the_process() {
    const CHILD: &str = "VPPKIT_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        refusal(&Build { early_init: "early_abort", ..Build::new() }.plugin());
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_plugin_that_ends_the_process", "--nocapture"])
        .env(CHILD, "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains(
            "vppkit-host: c_plugin.so called _clib_error, which ends VPP: early_abort:7: nothing works: 42"
        ),
        "{text}"
    );
}

#[test]
fn a_plugin_whose_destructor_forgets() {
    let error =
        Host::new().plugin(Build::new().define("FORGET").plugin()).inject(common::udp(1)).run().unwrap_err();
    let violations = error.report().unwrap().violations();
    assert_eq!(violations.len(), 2, "{violations:?}");
    assert!(violations.iter().all(|v| v.kind == ViolationKind::LeftBehind && v.node == "c_plugin.so"));
}

#[test]
fn two_plugins_with_one_node() {
    let (first, second) = (Build::new(), Build::new());
    let (a, b) = (first.plugin(), second.folder.path().join("other.so"));
    std::fs::copy(&a, &b).unwrap();
    let error = Host::new().plugin(a).plugin(b).run().unwrap_err().to_string();
    assert!(error.starts_with("node `c-node` is registered by "), "{error}");
    assert!(error.contains("`c_plugin.so`") && error.contains("`other.so`"), "{error}");
}
