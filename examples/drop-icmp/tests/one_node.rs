//! The node alone, on frames that the test builds. The crate is linked into the test; no file is loaded.

// Links the crate, and with it the node's registration.
use drop_icmp as _;
use vppkit::testing;
use vppkit_host::{Host, Packets, Report};

/// An IPv4 packet behind an Ethernet header; `length` bytes from the IPv4 header on.
fn packet(protocol: u8, length: usize) -> Vec<u8> {
    let mut packet = vec![0; 14 + length];
    packet[12..14].copy_from_slice(&[0x08, 0x00]);
    for (at, byte) in [(14, 0x45), (22, 64), (23, protocol)] {
        if let Some(slot) = packet.get_mut(at) {
            *slot = byte;
        }
    }
    packet
}

fn run(packets: Vec<Vec<u8>>) -> Report {
    Host::new()
        .linked_plugin("drop-icmp", testing::register, testing::withdraw)
        .inject_at("drop-icmp", Packets::from_bytes(packets).past_ethernet())
        .run()
        .unwrap()
}

#[test]
fn icmp_is_dropped_and_the_rest_goes_on_in_frames_of_every_size() {
    const PROTOCOLS: [u8; 4] = [1, 6, 17, 1];
    for size in (0..=256).chain([257, 511, 1000]) {
        let packets: Vec<_> = (0..size).map(|i| packet(PROTOCOLS[i % 4], 20 + i % 100)).collect();
        let icmp = (0..size).filter(|i| PROTOCOLS[i % 4] == 1).count() as u64;
        let report = run(packets);
        assert_eq!(report.error("drop-icmp", "icmp"), icmp, "{size} packets");
        assert_eq!(report.sink("ip4-lookup").len() as u64, size as u64 - icmp, "{size} packets");
    }
}

#[test]
fn a_packet_that_is_shorter_than_its_header_is_data() {
    let report = run((0..20).map(|length| packet(1, length)).collect());
    assert_eq!(report.error("drop-icmp", "short"), 20);
    assert_eq!(report.error("drop-icmp", "icmp"), 0);
}
