//! The plugin on real traffic, against what tshark counts in the same files (`captures/counts.json`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use vppkit_host::{Host, Packets, Release, Report, built_plugin};

fn captures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("captures")
}

/// Each capture with its counts.
fn counts() -> Vec<(PathBuf, Value)> {
    let counts: Value =
        serde_json::from_slice(&std::fs::read(captures().join("counts.json")).unwrap()).unwrap();
    counts.as_object().unwrap().iter().map(|(file, counts)| (captures().join(file), counts.clone())).collect()
}

fn run(release: Release, capture: &Path, trace: u32) -> Report {
    Host::new()
        .vpp(release)
        .plugin(built_plugin("drop_icmp").unwrap())
        .trace(trace)
        .inject(Packets::from_pcap(capture).unwrap())
        .run()
        .unwrap_or_else(|error| panic!("{} in {}: {error}", capture.display(), release.name()))
}

#[test]
fn verdicts_are_those_that_tshark_counts_in_every_release() {
    for release in Release::all() {
        for (capture, counts) in counts() {
            let count = |name: &str| counts[name].as_u64().unwrap();
            let report = run(release, &capture, 0);
            let what = format!("{} in {}", capture.display(), release.name());
            assert_eq!(report.summary().read, count("frames"), "{what}: frames");
            assert_eq!(report.error("drop-icmp", "icmp"), count("icmp"), "{what}: dropped");
            let passed = count("ipv4") - count("icmp");
            assert_eq!(report.sink("ip4-lookup").len() as u64, passed, "{what}: passed");
            assert_eq!(report.error("drop-icmp", "short"), 0, "{what}: short");
            assert_eq!(report.error("drop-icmp", "panic"), 0, "{what}: panics");
        }
    }
}

#[test]
fn what_passes_is_not_changed() {
    let capture = captures().join("jumbo.pcap");
    let report = run(Release::default(), &capture, 0);
    // Without the plugin's feature, everything comes through.
    let sent = Host::new().inject(Packets::from_pcap(&capture).unwrap()).run().unwrap();
    let sent: BTreeMap<_, _> = sent.packets().iter().map(|packet| (packet.index(), packet.bytes())).collect();
    let passed = report.sink("ip4-lookup").packets();
    assert!(passed.iter().any(|packet| packet.bytes().len() > 2048), "some packets take several buffers");
    for packet in passed {
        assert_eq!(packet.bytes(), sent[&packet.index()], "packet {:?}", packet.index());
    }
}

#[test]
fn traces_say_what_the_node_saw() {
    let report = run(Release::default(), &captures().join("ping.pcap"), 30);
    let text = report.show_trace();
    assert!(text.contains("drop-icmp\n  192.0.2.1 -> 192.0.2.2 ICMP\n"), "{text}");
    assert!(text.contains("drop-icmp: ICMP packets dropped"), "{text}");
}
