//! A node that panics costs the rest of its frame and a counter, in every release.

use vppkit::prelude::*;
use vppkit::testing;
use vppkit_host::{Host, Packets, Release};

/// Packets with this first byte make the node panic.
const POISON: u8 = 0xff;

#[vlib_node(name = "panics")]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
fn panics(_node: &mut NodeContext<panics>, packet: &mut Packet) -> Verdict<panics> {
    assert!(packet.data()[0] != POISON, "a packet that the author did not think of");
    Verdict::NextFeature
}

#[test]
fn packets_before_the_panic_go_on_the_rest_is_dropped_and_the_node_lives() {
    for release in Release::all() {
        let frame = |poison_at: Option<usize>| {
            Packets::from_bytes((0..256_usize).map(move |at| {
                let mut packet = vec![0x45; 14 + 40];
                packet[12..14].copy_from_slice(&[0x08, 0x00]);
                if poison_at == Some(at) {
                    packet[14] = POISON;
                }
                packet
            }))
            .past_ethernet()
        };
        let report = Host::new()
            .vpp(release)
            .linked_plugin("panics", testing::register, testing::withdraw)
            .inject_at("panics", frame(Some(100)))
            .inject_at("panics", frame(None))
            .run()
            .unwrap();
        assert_eq!(report.error("panics", "panic"), 156, "{}", release.name());
        assert_eq!(report.sink("ip4-lookup").len(), 100 + 256, "{}", release.name());
        assert!(report.show_errors().contains("packets dropped after a panic"), "{}", report.show_errors());
    }
}
