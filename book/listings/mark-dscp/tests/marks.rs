//! What the plugin changes, and what it leaves alone.

use vppkit_host::{Host, Packets, built_plugin};

/// Real traffic, recorded for another plugin: UDP, TCP and ICMP, in one buffer and in several.
const CAPTURES: &str = "../../../examples/drop-icmp/captures";

// ANCHOR: test
#[test]
fn udp_is_marked_and_its_checksum_is_right() -> Result<(), Box<dyn std::error::Error>> {
    let report = Host::new()
        .plugin(built_plugin("mark-dscp")?)
        .inject(Packets::from_pcap(format!("{CAPTURES}/dns.pcap"))?)
        .run()?;

    assert_eq!(report.error("mark-dscp", "marked"), 24);
    for packet in report.sink("ip4-lookup").packets() {
        let ip = &packet.payload()[..20];
        assert_eq!(ip[1] >> 2, 46);
        // The sum of a header with its checksum is all ones.
        let sum: u32 = ip.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
        assert_eq!((sum & 0xffff) + (sum >> 16), 0xffff);
    }
    Ok(())
}
// ANCHOR_END: test

#[test]
fn everything_else_is_as_it_was() -> Result<(), Box<dyn std::error::Error>> {
    for capture in ["http.pcap", "ping.pcap"] {
        let path = format!("{CAPTURES}/{capture}");
        let sent = Packets::from_pcap(&path)?.collect::<Result<Vec<_>, _>>()?;
        let report =
            Host::new().plugin(built_plugin("mark-dscp")?).inject(Packets::from_pcap(&path)?).run()?;
        assert_eq!(report.error("mark-dscp", "marked"), 0, "{capture}");
        for packet in report.sink("ip4-lookup").packets() {
            let index = packet.index().expect("it came from the capture") as usize;
            assert_eq!(packet.bytes(), sent[index].bytes(), "{capture}: packet {index}");
        }
    }
    Ok(())
}

#[test]
fn the_trace_names_the_sender() -> Result<(), Box<dyn std::error::Error>> {
    let report = Host::new()
        .plugin(built_plugin("mark-dscp")?)
        .inject(Packets::from_pcap(format!("{CAPTURES}/dns.pcap"))?)
        .trace(10)
        .run()?;
    let text = report.show_trace();
    assert!(text.contains("mark-dscp\n  from 02:00:00:00:00:01"), "{text}");
    assert!(text.contains("mark-dscp\n  from 02:00:00:00:00:02"), "{text}");
    Ok(())
}
