//! The plugin on real traffic. `captures/README.md` says what is in the capture.

// ANCHOR: first
use vppkit_host::{Host, Packets, built_plugin};

#[test]
fn low_packets_are_dropped_but_for_bgp() -> Result<(), Box<dyn std::error::Error>> {
    let report = Host::new()
        .plugin(built_plugin("min-ttl")?)
        .inject(Packets::from_pcap("captures/ttl.pcap")?)
        .run()?;

    assert_eq!(report.error("min-ttl-low", "low_ttl"), 7);
    assert_eq!(report.error("min-ttl-low", "bgp"), 12);
    assert_eq!(report.sink("ip4-lookup").len(), 37);
    assert!(report.summary().adds_up());
    Ok(())
}
// ANCHOR_END: first

// ANCHOR: trace
#[test]
fn a_traced_packet_shows_its_ttl() -> Result<(), Box<dyn std::error::Error>> {
    let report = Host::new()
        .plugin(built_plugin("min-ttl")?)
        .inject(Packets::from_pcap("captures/ttl.pcap")?)
        .trace(20)
        .run()?;

    // The 13th packet is a ping with a TTL of 1.
    let trace = &report.traces()[12];
    assert_eq!(trace.at("min-ttl").map(|record| record.text.as_str()), Some("192.0.2.1 -> 192.0.2.2 ttl 1"));
    assert!(trace.path().contains(&"min-ttl-low"));
    Ok(())
}
// ANCHOR_END: trace

// ANCHOR: releases
#[test]
fn every_release_gives_the_same() -> Result<(), Box<dyn std::error::Error>> {
    for release in vppkit_host::releases() {
        let report = Host::new()
            .vpp(release)
            .plugin(built_plugin("min-ttl")?)
            .inject(Packets::from_pcap("captures/ttl.pcap")?)
            .run()?;
        assert_eq!(report.error("min-ttl-low", "low_ttl"), 7, "VPP {release}");
    }
    Ok(())
}
// ANCHOR_END: releases
