//! `cargo vpp run` as a user meets it: what it prints, and what it says to bad input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn capture(name: &str) -> String {
    repository().join("examples/drop-icmp/captures").join(name).display().to_string()
}

/// Runs `cargo vpp run ARGS` in the repository's folder.
fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cargo-vpp"))
        .args(["vpp", "run"])
        .args(args)
        .current_dir(repository())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The example, built once in debug mode and run.
fn run_example(args: &[&str]) -> Output {
    run(&[&["examples/drop-icmp", "--debug"], args].concat())
}

#[test]
fn the_example_on_a_capture() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("passed.pcap").display().to_string();
    let output =
        run_example(&["--pcap", &capture("ping.pcap"), "--pcap", &capture("http.pcap"), "--out", &out]);
    let stdout = text(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", text(&output.stderr));
    for expected in [
        "vpp# show runtime\n",
        "vpp# show errors\n",
        "        28             drop-icmp                     ICMP packets dropped          info",
        "vpp# show trace\n",
        "Packet 3\n",
        "48 packets read\n",
        "28 drop-icmp: ICMP packets dropped",
        "16 ip4-lookup",
        &format!("20 packets written to {out}\n"),
    ] {
        assert!(stdout.contains(expected), "no {expected:?} in\n{stdout}");
    }
    let written = run_example(&["--pcap", &out, "--json"]);
    let written: Value = serde_json::from_slice(&written.stdout).unwrap();
    assert_eq!(written["summary"]["read"], 20, "what was written can be read");
}

#[test]
fn json_says_the_same() {
    let output =
        run_example(&["--pcap", &capture("mixed.pcapng"), "--json", "--vpp", "25.10", "--trace", "0"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["error"], Value::Null);
    assert_eq!(json["summary"]["read"], 386);
    let dropped =
        json["errors"].as_array().unwrap().iter().find(|error| error["node"] == "drop-icmp").unwrap();
    assert_eq!((&dropped["name"], &dropped["count"]), (&"icmp".into(), &88.into()));
}

#[test]
fn a_damaged_capture_is_an_error_and_what_came_before_it_counts() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(capture("http.pcap")).unwrap();
    let cut = folder.path().join("cut.pcap");
    std::fs::write(&cut, &whole[..whole.len() - 10]).unwrap();
    let out = folder.path().join("out.pcap").display().to_string();
    let output = run_example(&["--pcap", &cut.display().to_string(), "--out", &out]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    assert!(stderr.starts_with("error: ") && stderr.contains("cut.pcap: truncated: packet 18"), "{stderr}");
    let stdout = text(&output.stdout);
    assert!(stdout.contains("17 packets read") && stdout.contains("17 packets written"), "{stdout}");
}

#[test]
fn bad_input_gets_one_clear_message() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let ping = capture("ping.pcap");
    let text_file = file("notes.txt", b"these are no packets, and this is no plugin");
    let empty = file("empty.pcap", b"");
    let mut other_link = std::fs::read(&ping).unwrap();
    other_link[20] = 113;
    let other_link = file("sll.pcap", &other_link);
    let package = folder.path().join("package");
    std::fs::create_dir(&package).unwrap();
    let missing = folder.path().join("missing.pcap").display().to_string();
    let package = package.display().to_string();
    let example = "examples/drop-icmp";

    for (args, code, expected) in [
        (vec![example, "--pcap", &missing], 1, "missing.pcap"),
        (vec![example, "--pcap", &text_file], 1, "notes.txt: not a capture"),
        (vec![example, "--pcap", &empty], 1, "empty.pcap: not a capture"),
        (vec![example, "--pcap", &other_link], 1, "link type LINUX_SLL (113), only Ethernet captures"),
        (vec![&text_file, "--pcap", &ping], 1, "notes.txt: no shared object"),
        (vec!["no/such/folder", "--pcap", &ping], 1, "no/such/folder does not exist"),
        (vec![&package, "--pcap", &ping], 1, "has no Cargo.toml"),
        (vec!["sys", "--debug", "--pcap", &ping], 1, "write `crate-type = [\"cdylib\"]` under `[lib]`"),
        (
            vec![example, "--debug", "--pcap", &ping, "--out", "/no/such/folder/out.pcap"],
            1,
            "/no/such/folder/out.pcap",
        ),
        (vec![example, "--debug", "--pcap", &ping, "--out", &ping], 1, "is also the capture that is read"),
        (vec![example, "--debug", "--pcap", &ping, "--feature", "ip4-unicst:drop-icmp"], 1, "`ip4-unicast`"),
        (vec![example, "--pcap", &ping, "--feature", "drop-icmp"], 2, "write ARC:NODE"),
        (vec![example, "--pcap", &ping, "--vpp", "24.10"], 2, "25.10, 26.02, 26.06"),
        (vec![example, "--pcap", &ping, "--tracee", "3"], 2, "--trace"),
        (vec![example], 2, "--pcap <FILE>"),
    ] {
        let output = run(&args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && !stderr.contains("panicked"), "{args:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_panic_in_a_node_fails_the_run() {
    let folder = tempfile::tempdir().unwrap();
    // An IPv4 packet whose TTL the probe's node is not prepared for.
    let mut packet = vec![0_u8; 14 + 20];
    packet[12] = 0x08;
    packet[14..34]
        .copy_from_slice(&[0x45, 0, 0, 20, 0, 0, 0, 0, 77, 17, 0x50, 0xc6, 10, 0, 0, 2, 10, 9, 9, 9]);
    let capture = folder.path().join("ttl-77.pcap");
    let mut writer = vppkit_host::PcapWriter::create(&capture).unwrap();
    writer.write_bytes(std::time::Duration::ZERO, &packet).unwrap();
    writer.flush().unwrap();
    let output = run(&["conformance/plugins/probe", "--debug", "--pcap", &capture.display().to_string()]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{}{stderr}", text(&output.stdout));
    assert!(stderr.contains("error: the node `probe-panics` panicked, which cost 1 packets"), "{stderr}");
}
