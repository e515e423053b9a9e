//! `cargo vpp run --vpp-prefix` in the VPPs that `VPP_PREFIX` names, separated by `:`.

mod common;

use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;
use vppkit_host::{Packets, PcapWriter};

use common::{Run, assert_fails, capture, code_of, release_plugin as plugin, text};

/// One test at a time: VPPs have threads that never rest.
static ONE: Mutex<()> = Mutex::new(());

/// Does this in each VPP; without any it says so where the test runner does not hide it.
fn in_each(test: &str, check: impl Fn(&str)) {
    let prefixes = std::env::var("VPP_PREFIX").unwrap_or_default();
    if prefixes.is_empty() {
        let _ = writeln!(std::io::stderr(), "skipped: {test}: VPP_PREFIX names no VPP");
        return;
    }
    let _one = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    prefixes.split(':').filter(|prefix| !prefix.is_empty()).for_each(check);
}

fn args<'a>(plugin: &'a str, pcap: &'a str, prefix: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", plugin, "--pcap", pcap, "--vpp-prefix", prefix], more].concat()
}

fn json(args: &[&str]) -> Value {
    let output = Run::new(args).output();
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Counters of `drop-icmp`, as description and count.
fn errors(json: &Value) -> Vec<(String, u64)> {
    let errors = json["errors"].as_array().unwrap().iter().filter(|error| error["node"] == "drop-icmp");
    errors.map(|e| (e["description"].as_str().unwrap().to_owned(), e["count"].as_u64().unwrap())).collect()
}

fn vectors(json: &Value, node: &str) -> u64 {
    let node = json["nodes"].as_array().unwrap().iter().find(|n| n["name"] == node).unwrap();
    node["vectors"].as_u64().unwrap()
}

#[test]
fn the_sections_are_those_of_the_embedded_host() {
    in_each("the_sections_are_those_of_the_embedded_host", |prefix| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.pcap").display().to_string();
        let (plugin, pcap) = (plugin("drop_icmp"), capture("ping.pcap"));
        let output = Run::new(&args(&plugin, &pcap, prefix, &["--out", &out])).output();
        let stdout = text(&output.stdout);
        assert!(output.status.success(), "{}", text(&output.stderr));
        for expected in [
            "vpp# show runtime\n",
            "vpp# show errors\n",
            "ICMP packets dropped",
            "vpp# show trace\n",
            "Packet 3\n",
            "packets sent into VPP 2",
            "\ndrop-icmp: ",
            &format!(" written to {out}\n"),
        ] {
            assert!(stdout.contains(expected), "no {expected:?} in\n{stdout}");
        }
    });
}

#[test]
fn counts_are_those_of_the_embedded_host() {
    in_each("counts_are_those_of_the_embedded_host", |prefix| {
        let (plugin, pcap) = (plugin("drop_icmp"), capture("mixed.pcapng"));
        let host = json(&["run", &plugin, "--pcap", &pcap, "--json"]);
        for workers in ["0", "1", "2"] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("out.pcap");
            let more = ["--json", "--workers", workers, "--out", out.to_str().unwrap()];
            let vpp = json(&args(&plugin, &pcap, prefix, &more));
            assert_eq!(errors(&vpp), errors(&host), "{prefix} {workers}");
            for node in ["drop-icmp", "ip4-lookup", "ip6-lookup"] {
                assert_eq!(vectors(&vpp, node), vectors(&host, node), "{prefix} {workers} {node}");
            }
            assert_eq!(vpp["summary"]["read"], host["summary"]["read"]);
            let sent = Packets::from_pcap(&out).unwrap().map(Result::unwrap).count() as u64;
            assert_eq!(vpp["summary"]["sent_out"], sent, "{prefix} {workers}");
            assert_eq!(sent, vectors(&vpp, "ip4-lookup") + vectors(&vpp, "ip6-lookup"));
            assert_eq!(vpp["features"], serde_json::json!([{ "arc": "ip4-unicast", "node": "drop-icmp" }]));
            assert_eq!(vpp["traces"][0]["records"][0]["node"], "pg-input");
        }
    });
}

#[test]
fn only_the_named_features_are_enabled() {
    in_each("only_the_named_features_are_enabled", |prefix| {
        let (plugin, pcap) = (plugin("drop_icmp"), capture("ping.pcap"));
        let run =
            |feature| Run::new(&args(&plugin, &pcap, prefix, &["--json", "--feature", feature])).output();
        let output = run("ip4-unicast:drop-icmp");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let expected = ["VPP has no feature arc `ip4-unicst`; it has ", "ip4-unicast"];
        assert_fails(&run("ip4-unicst:drop-icmp"), 1, &expected);
        let expected = ["the arc `ip4-unicast` has no feature `drop-icpm`; it has ", "drop-icmp"];
        assert_fails(&run("ip4-unicast:drop-icpm"), 1, &expected);
    });
}

#[test]
fn a_plugin_that_vpp_refuses() {
    in_each("a_plugin_that_vpp_refuses", |prefix| {
        let (plugin, pcap) = (plugin("conformance_refuses"), capture("ping.pcap"));
        let output = Run::new(&args(&plugin, &pcap, prefix, &[])).output();
        assert_fails(&output, 1, &["refuses the plugin", "its log says:\n", "two nodes are named `twice`"]);
    });
}

#[test]
fn a_damaged_capture_is_played_up_to_the_damage() {
    in_each("a_damaged_capture_is_played_up_to_the_damage", |prefix| {
        let folder = tempfile::tempdir().unwrap();
        let whole = std::fs::read(capture("http.pcap")).unwrap();
        let cut = folder.path().join("cut.pcap").display().to_string();
        std::fs::write(&cut, &whole[..whole.len() - 10]).unwrap();
        let output = Run::new(&args(&plugin("drop_icmp"), &cut, prefix, &[])).output();
        assert_eq!(code_of(output.status), 1);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert!(stdout.contains("17 packets sent into VPP"), "{stdout}");
        assert!(stderr.starts_with("error: ") && stderr.contains("truncated: packet 18"), "{stderr}");
    });
}

#[test]
fn a_capture_without_packets() {
    in_each("a_capture_without_packets", |prefix| {
        let folder = tempfile::tempdir().unwrap();
        let empty = folder.path().join("empty.pcap");
        PcapWriter::create(&empty).unwrap().flush().unwrap();
        let out = folder.path().join("out.pcap").display().to_string();
        let plugin = plugin("drop_icmp");
        let output = Run::new(&args(&plugin, empty.to_str().unwrap(), prefix, &["--out", &out])).output();
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("0 packets sent into VPP"), "{}", text(&output.stdout));
        assert_eq!(Packets::from_pcap(&out).unwrap().count(), 0);
    });
}

#[test]
fn two_runs_at_once() {
    in_each("two_runs_at_once", |prefix| {
        let (plugin, pcap) = (plugin("drop_icmp"), capture("ping.pcap"));
        let args = args(&plugin, &pcap, prefix, &[]);
        let running = [Run::new(&args).spawn(), Run::new(&args).spawn()];
        for output in running.map(common::Running::finish) {
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
    });
}

#[test]
fn an_interrupt_stops_vpp() {
    in_each("an_interrupt_stops_vpp", |prefix| {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("long.pcap");
        write_many(&long, 300_000);
        for (file, delay) in [("startup.conf", 0), ("cli.sock", 0), ("cli.sock", 400), ("replay0.pcap", 300)]
        {
            let plugin = plugin("drop_icmp");
            let running = Run::new(&args(&plugin, long.to_str().unwrap(), prefix, &[])).spawn();
            running.wait_for(file);
            std::thread::sleep(Duration::from_millis(delay));
            running.signal("INT");
            let output = running.finish();
            assert_eq!(code_of(output.status), 130, "{file} {delay}: {}", text(&output.stderr));
            assert!(output.stdout.is_empty());
        }
    });
}

#[test]
fn a_vpp_that_crashes_is_an_error_with_its_log() {
    in_each("a_vpp_that_crashes_is_an_error_with_its_log", |prefix| {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("long.pcap");
        write_many(&long, 300_000);
        let plugin = plugin("drop_icmp");
        let running = Run::new(&args(&plugin, long.to_str().unwrap(), prefix, &[])).spawn();
        running.wait_for("replay0.pcap");
        running.signal_vpp("SEGV");
        let expected =
            ["VPP ended during the run (signal: ", "the end of its log:\n", "received signal SIGSEGV"];
        assert_fails(&running.finish(), 1, &expected);
    });
}

/// The packets of a capture, again and again.
fn write_many(to: &Path, packets: usize) {
    let frames: Vec<_> = Packets::from_pcap(capture("http.pcap")).unwrap().map(Result::unwrap).collect();
    let mut writer = PcapWriter::create(to).unwrap();
    for frame in frames.iter().cycle().take(packets) {
        writer.write_bytes(frame.time(), frame.bytes()).unwrap();
    }
    writer.flush().unwrap();
}
