//! The input nodes' trace records, letter by letter as VPP prints them.

use etherparse::{Icmpv4Type, Icmpv6Type, PacketBuilder, PacketBuilderStep, TcpOptionElement};
use vppkit_host::{Host, Packets};

const A: [u8; 6] = [2, 0, 0, 0, 0, 1];
const B: [u8; 6] = [2, 0, 0, 0, 0, 2];

fn ip4() -> PacketBuilderStep<etherparse::IpHeaders> {
    PacketBuilder::ethernet2(A, B).ipv4([10, 0, 0, 1], [10, 0, 0, 9], 64)
}

fn ip6() -> PacketBuilderStep<etherparse::IpHeaders> {
    let address = |last| [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last];
    PacketBuilder::ethernet2(A, B).ipv6(address(1), address(2), 64)
}

/// What the node records of the packet.
fn record(node: &str, packet: &[u8]) -> String {
    let packets = Packets::from_bytes([packet.to_vec()]);
    let report = Host::new().trace(1).inject(packets).run().unwrap();
    report.traces()[0].at(node).unwrap().text.clone()
}

fn tcp(options: &[TcpOptionElement], push: bool) -> Vec<u8> {
    let step = ip4().tcp(1000, 80, 100, 1000);
    let step = if push { step.psh().ack(7) } else { step.syn() };
    let mut packet = Vec::new();
    step.options(options).unwrap().write(&mut packet, b"").unwrap();
    // The checksum is of no interest.
    packet[14 + 20 + 16..][..2].copy_from_slice(&[0x12, 0x34]);
    packet
}

#[test]
fn a_tcp_packet_in_all_input_nodes() {
    let headers = "TCP: 10.0.0.1 -> 10.0.0.9\n    \
        tos 0x00, ttl 64, length 40, checksum 0x26c7 dscp CS0 ecn NON_ECN\n    \
        fragment id 0x0000, flags DONT_FRAGMENT\n  \
        TCP: 1000 -> 80\n    \
        seq. 0x00000064 ack 0x00000000\n    \
        flags 0x02 SYN, tcp header: 20 bytes\n    \
        window 1000, checksum 0x1234\n    ";
    let packet = tcp(&[], false);
    assert_eq!(
        record("pg-input", &packet),
        format!(
            "stream pg0, 54 bytes, sw_if_index 1, next_node ethernet-input\n  \
             current data 0, length 54, buffer-pool 0, ref-count 1, trace handle 0x0\n  \
             IP4: 02:00:00:00:00:01 -> 02:00:00:00:00:02\n  {headers}"
        )
    );
    assert_eq!(
        record("ethernet-input", &packet),
        "frame: flags 0x1, hw-if-index 1, sw-if-index 1\n  IP4: 02:00:00:00:00:01 -> 02:00:00:00:00:02"
    );
    assert_eq!(record("ip4-input", &packet), headers);
}

/// What a record of `ip4-input` says of TCP, from the flags on.
fn flags(packet: &[u8]) -> String {
    let text = record("ip4-input", packet);
    text[text.find("flags 0x").unwrap()..].to_owned()
}

#[test]
fn options_of_tcp() {
    use TcpOptionElement::{
        MaximumSegmentSize, Noop, SelectiveAcknowledgementPermitted, Timestamp, WindowScale,
    };
    assert_eq!(
        flags(&tcp(&[MaximumSegmentSize(1460)], false)),
        "flags 0x02 SYN, tcp header: 24 bytes\n    window 1000, checksum 0x1234\n    options:\n      mss 1460"
    );
    let all = [
        MaximumSegmentSize(1460),
        SelectiveAcknowledgementPermitted,
        Timestamp(100, 101),
        Noop,
        WindowScale(7),
    ];
    assert_eq!(
        flags(&tcp(&all, false)),
        "flags 0x02 SYN, tcp header: 40 bytes\n    window 1000, checksum 0x1234\n    options:\n      \
         mss 1460, window scale 7, timestamp 100, echo/reflected timestamp, sack permitted"
    );
    // VPP prints none of a packet that is no SYN.
    assert_eq!(
        flags(&tcp(&[Noop, Noop, Timestamp(100, 101)], true)),
        "flags 0x18 PSH ACK, tcp header: 32 bytes\n    window 1000, checksum 0x1234\n    "
    );
    let mut broken = tcp(&[MaximumSegmentSize(1460)], true);
    broken[14 + 20 + 20 + 1] = 0xff;
    assert!(flags(&broken).ends_with("\n    options: parsing failed"), "{}", flags(&broken));
    // The record of `ip4-input` has 64 bytes of the packet, that of `pg-input` more.
    let mut long = tcp(&[const { Noop }; 36], true);
    assert!(flags(&long).ends_with("\n    options: truncated"), "{}", flags(&long));
    long.truncate(14 + 20);
    assert!(record("pg-input", &long).contains("\n    flags 0x00, tcp header: 0 bytes\n"));
}

#[test]
fn udp_and_icmp() {
    let ip = |protocol: &str, length: u16, checksum: u16, rest: &str| {
        format!(
            "{protocol}: 10.0.0.1 -> 10.0.0.9\n    \
             tos 0x00, ttl 64, length {length}, checksum 0x{checksum:04x} dscp CS0 ecn NON_ECN\n    \
             fragment id 0x0000, flags DONT_FRAGMENT\n  {rest}"
        )
    };
    let mut packet = Vec::new();
    ip4().udp(1000, 53).write(&mut packet, b"abcd").unwrap();
    packet[14 + 20 + 6..][..2].fill(0);
    assert_eq!(
        record("ip4-input", &packet),
        ip("UDP", 32, 0x26c4, "UDP: 1000 -> 53\n    length 12, checksum 0x0000")
    );
    let mut packet = Vec::new();
    ip4().icmpv4_echo_request(7, 1).write(&mut packet, b"abcd").unwrap();
    assert_eq!(
        record("ip4-input", &packet),
        ip("ICMP", 32, 0x26d4, "ICMP echo_request checksum 0x3331 id 7")
    );
    for (kind, code, text) in [
        (3, 3, "destination_unreachable port_unreachable checksum 0xfcfc"),
        (11, 0, "time_exceeded ttl_exceeded_in_transit checksum 0xf4ff"),
        (200, 1, "unknown 0xc8 checksum 0x37fe"),
    ] {
        let mut packet = Vec::new();
        let kind = Icmpv4Type::Unknown { type_u8: kind, code_u8: code, bytes5to8: [0; 4] };
        ip4().icmpv4(kind).write(&mut packet, b"").unwrap();
        assert_eq!(record("ip4-input", &packet), ip("ICMP", 28, 0x26d8, &format!("ICMP {text}")));
    }
}

#[test]
fn icmp_for_ipv6() {
    let ip = |length: u16, rest: &str| {
        format!(
            "ICMP6: 2001:db8::1 -> 2001:db8::2\n    \
             tos 0x00, flow label 0x0, hop limit 64, payload length {length}\n  ICMP {rest}"
        )
    };
    for (kind, code, length, text) in [
        (128, 0, 0, "echo_request checksum 0x0"),
        (1, 4, 16, "destination_unreachable port_unreachable checksum 0x0"),
        (135, 0, 16, "neighbor_solicitation checksum 0x0\n    target address ::"),
    ] {
        let mut packet = Vec::new();
        let kind = Icmpv6Type::Unknown { type_u8: kind, code_u8: code, bytes5to8: [0; 4] };
        ip6().icmpv6(kind).write(&mut packet, &vec![0; length]).unwrap();
        packet[14 + 40 + 2..][..2].fill(0);
        assert_eq!(record("ip6-input", &packet), ip(8 + length as u16, text));
    }
}

#[test]
fn where_pg_input_sends_a_packet() {
    let mut packet = Vec::new();
    ip4().udp(1000, 53).write(&mut packet, &[0; 5000]).unwrap();
    // More than one buffer.
    let text = record("pg-input", &packet);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("stream pg0, 5042 bytes, sw_if_index 1, next_node ethernet-input"));
    assert_eq!(
        lines.next(),
        Some("  current data 0, length 2048, buffer-pool 0, ref-count 1, totlen-nifb 2994, trace handle 0x0")
    );
    assert_eq!(lines.next(), Some("  next-present "));
    let packets = Packets::from_bytes([packet]).past_ethernet();
    let report = Host::new().trace(1).inject_at("ip4-input", packets).run().unwrap();
    let text = &report.traces()[0].at("pg-input").unwrap().text;
    assert!(
        text.starts_with("stream pg0, 5028 bytes, sw_if_index 1, next_node ip4-input\n  current data 14, "),
        "{text}"
    );
}
