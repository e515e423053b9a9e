//! What the input nodes do with frames of all kinds, with VPP's counters.

mod common;

use common::{feature, host, node, udp, udp_packet};
use etherparse::{PacketBuilder, SingleVlanHeader, VlanId};
use vppkit_host::{Host, Packets, Report, UdpStream, releases};

const A: [u8; 6] = [2, 0, 0, 0, 0, 1];
const B: [u8; 6] = [2, 0, 0, 0, 0, 2];

fn run(packets: Vec<Vec<u8>>) -> Report {
    let report = Host::new().trace(100).inject(Packets::from_bytes(packets)).run().unwrap();
    assert!(report.summary().adds_up(), "{:?}", report.summary());
    report
}

fn typed(r#type: u16, payload: &[u8]) -> Vec<u8> {
    [&B[..], &A, &r#type.to_be_bytes(), payload].concat()
}

fn good() -> Vec<u8> {
    udp_packet([10, 0, 0, 1].into(), b"payload")
}

/// A good IPv4 packet with a change, and the right checksum again.
fn changed(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut p = good();
    change(&mut p[14..]);
    p[24..26].fill(0);
    let header = usize::from(p[14] & 0xf) * 4;
    let mut sum: u32 =
        p[14..14 + header].chunks(2).map(|w| u32::from(u16::from_be_bytes([w[0], w[1]]))).sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    p[24..26].copy_from_slice(&(!(sum as u16)).to_be_bytes());
    p
}

#[test]
fn types_go_where_vpp_sends_them() {
    let mut ip6 = Vec::new();
    PacketBuilder::ethernet2(A, B).ipv6([1; 16], [2; 16], 64).udp(1, 2).write(&mut ip6, b"x").unwrap();
    let mut multicast6 = ip6.clone();
    multicast6[14 + 24] = 0xff;
    let mut multicast4 = changed(|ip| ip[16] = 239);
    multicast4[0] = 1;
    let report = run(vec![
        good(),
        multicast4,
        ip6,
        multicast6,
        typed(0x0806, &[0; 28]),
        typed(0x8847, &[0; 40]),
        typed(0x88cc, &[0; 40]),
        typed(38, &[0x42, 0x42, 3, 0, 0]),
        typed(38, &[0xaa, 0xaa, 3, 0, 0, 0xc, 0x20, 0]),
        typed(38, &[0xfe, 0xfe, 3, 0x83]),
    ]);
    for sink in [
        "ip4-lookup",
        "ip4-mfib-forward-lookup",
        "ip6-lookup",
        "ip6-mfib-forward-lookup",
        "arp-input",
        "mpls-input",
        "snap-input",
        "osi-input",
    ] {
        assert_eq!(report.sink(sink).len(), 1, "{sink}");
    }
    // VPP writes no reason if all packets of a frame are from one interface.
    assert_eq!(report.error("ethernet-input", "unknown ethernet type"), 0);
    let punted = &report.summary().punted[0];
    assert_eq!((punted.node.as_str(), punted.reason.as_str()), ("null-node", "blackholed packets"));
    assert_eq!(report.error("llc-input", "unknown llc ssap/dsap"), 1);
}

#[test]
fn tags_without_a_sub_interface_are_unknown() {
    let tagged = |id: u16| {
        let mut p = Vec::new();
        PacketBuilder::ethernet2(A, B)
            .vlan(etherparse::VlanHeader::Single(SingleVlanHeader {
                pcp: etherparse::VlanPcp::try_new(5).unwrap(),
                drop_eligible_indicator: false,
                vlan_id: VlanId::try_new(id).unwrap(),
                ether_type: etherparse::EtherType::IPV4,
            }))
            .ipv4([1, 2, 3, 4], [5, 6, 7, 8], 9)
            .udp(1, 2)
            .write(&mut p, b"x")
            .unwrap();
        p
    };
    let mut twice = Vec::new();
    PacketBuilder::ethernet2(A, B)
        .double_vlan(VlanId::try_new(0).unwrap(), VlanId::try_new(7).unwrap())
        .ipv4([1, 2, 3, 4], [5, 6, 7, 8], 9)
        .udp(1, 2)
        .write(&mut twice, b"x")
        .unwrap();
    let report = run(vec![tagged(10), tagged(0), twice, typed(0x8100, &[0])]);
    assert_eq!(report.error("ethernet-input", "unknown vlan"), 2);
    // A tag with id 0 only carries a priority.
    assert_eq!(report.sink("ip4-lookup").len(), 1);
    assert_eq!(report.sink("ip4-lookup").packets()[0].payload()[0], 0x45);
    let text = report.show_trace();
    assert!(text.contains("IP4: 02:00:00:00:00:01 -> 02:00:00:00:00:02 802.1q vlan 10 priority 5"), "{text}");
}

#[test]
fn bad_ipv4_headers_have_their_counters() {
    let mut bad_checksum = good();
    bad_checksum[24] ^= 0xff;
    let mut options = good();
    options.splice(34..34, [1, 1, 1, 0]);
    options[14] = 0x46;
    options[17] += 4;
    let options = {
        let mut p = options;
        p[24..26].fill(0);
        let mut sum: u32 = p[14..38].chunks(2).map(|w| u32::from(u16::from_be_bytes([w[0], w[1]]))).sum();
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        p[24..26].copy_from_slice(&(!(sum as u16)).to_be_bytes());
        p
    };
    let report = run(vec![
        changed(|ip| ip[0] = 0x55),
        changed(|ip| ip[0] = 0x44),
        changed(|ip| ip[8] = 0),
        changed(|ip| ip[8] = 1),
        changed(|ip| ip[7] = 1),
        changed(|ip| (ip[2], ip[3]) = (0, 19)),
        changed(|ip| (ip[2], ip[3]) = (1, 0)),
        bad_checksum,
        options,
    ]);
    for (error, n) in [
        ("version", 1),
        ("hdr_too_short", 1),
        ("fragment_offset_one", 1),
        ("too_short", 1),
        ("bad_length", 1),
        ("bad_checksum", 1),
    ] {
        assert_eq!(report.error("ip4-input", error), n, "{error}");
    }
    assert_eq!(report.sink("ip4-icmp-error").len(), 1);
    assert_eq!(report.sink("ip4-options").len(), 1);
    assert_eq!(report.sink("ip4-lookup").len(), 1, "a time to live of 1 passes");
}

#[test]
fn frames_that_no_card_would_deliver() {
    let report = run((0..14).map(|n| vec![0; n]).collect());
    assert_eq!(report.error("pg-input", "shorter than an Ethernet header"), 14);
    // Every cut of a good packet ends somewhere.
    let report = run((14..good().len()).map(|n| good()[..n].to_vec()).collect());
    assert_eq!(report.summary().dropped.iter().map(|e| e.packets).sum::<u64>(), good().len() as u64 - 14);
}

#[test]
fn long_packets_are_chains_and_come_out_whole() {
    for length in [2034, 2048, 2049, 4096, 4097, 9000, 65535] {
        let packet: Vec<u8> = Packets::udp(UdpStream { count: 1, length, ..UdpStream::default() })
            .map(|p| p.unwrap().bytes().to_vec())
            .next()
            .unwrap();
        let report = run(vec![packet.clone()]);
        let packets = report.sink("ip4-lookup").packets();
        assert_eq!(packets[0].bytes(), packet, "{length}");
        assert_eq!(packets[0].payload().len(), length - 14);
    }
}

#[test]
fn packets_have_the_metadata_that_vpp_sets() {
    let nodes = vec![common::node("look", &["ip4-lookup"], |c| {
        use vppkit_sys::vnet::buffer::vnet_buffer_opaque_t;
        for i in c.indices() {
            // SAFETY: a buffer.
            unsafe {
                let b = c.buffer(i);
                let o = (&raw const (*b).opaque).cast::<vnet_buffer_opaque_t>();
                assert_eq!((*o).sw_if_index, [1, !0]);
                assert_eq!(((*o).l2_hdr_offset, (*o).l3_hdr_offset), (0, 14));
                assert_eq!(((*b).current_data, (*b).flags), (14, 1 << 20 | 1 << 19));
                let length = usize::from((*b).current_length);
                assert_eq!(c.bytes(i)[3], length as u8);
            }
        }
        c.next_feature();
    })];
    let features = vec![common::feature("ip4-unicast", "look", &[], &[])];
    host(nodes, features).inject(common::udp(3)).run().unwrap();
}

#[test]
fn made_up_streams_are_good_packets() {
    let stream = UdpStream { count: 1000, length: 100, sources: 7, destinations: 3, ..UdpStream::default() };
    let report = Host::new().inject(Packets::udp(stream)).run().unwrap();
    let packets = report.sink("ip4-lookup").packets();
    assert_eq!(packets.len(), 1000);
    let sources: std::collections::HashSet<_> =
        packets.iter().map(|p| p.payload()[12..16].to_vec()).collect();
    assert_eq!(sources.len(), 7);
    assert!(packets.iter().enumerate().all(|(i, p)| p.index() == Some(i as u64)));
}

#[test]
fn few_packets_are_kept_if_so_wished_and_all_are_seen() {
    let seen = std::rc::Rc::new(std::cell::Cell::new(0));
    let progress = std::rc::Rc::new(std::cell::Cell::new((0, None)));
    let (s, p) = (seen.clone(), progress.clone());
    let report = Host::new()
        .inject(Packets::udp(UdpStream { count: 5000, ..UdpStream::default() }))
        .keep_packets(10)
        .on_packet(move |_| {
            s.set(s.get() + 1);
            Ok(())
        })
        .on_progress(move |read, total| p.set((read, total)))
        .run()
        .unwrap();
    assert_eq!((report.packets().len(), seen.get(), report.sink("ip4-lookup").len()), (10, 5000, 5000));
    assert_eq!(progress.get().0, 5000 * 64);
}

#[test]
fn an_output_that_fails_ends_the_run() {
    let error = Host::new()
        .inject(Packets::udp(UdpStream { count: 100_000, ..UdpStream::default() }))
        .on_packet(|p| if p.index() > Some(300) { Err(std::io::Error::other("disk full")) } else { Ok(()) })
        .run()
        .unwrap_err();
    assert_eq!(error.to_string(), "disk full");
}

#[test]
fn a_packet_without_a_reason_has_that_of_a_fresh_buffer() {
    for release in releases() {
        let punter = || node("punter", &["error-punt"], |c| c.enqueue_all(0));
        let punters = || host(vec![punter()], vec![feature("ip4-unicast", "punter", &[], &[])]).vpp(release);
        let whole = || Packets::from_bytes([good()]);
        for report in [
            punters().inject(udp(1)).run().unwrap(),
            punters().inject_at("ethernet-input", whole()).run().unwrap(),
            punters().inject_at("ip4-input", whole().past_ethernet()).run().unwrap(),
            punters().inject_at("punter", whole().past_ethernet()).run().unwrap(),
        ] {
            let [punted] = report.summary().punted.as_slice() else { panic!("{report:?}") };
            assert_eq!(
                (punted.node.as_str(), punted.reason.as_str(), punted.packets),
                ("null-node", "blackholed packets", 1)
            );
            assert_eq!(report.error("null-node", "blackholed packets"), 1);
            assert!(report.errors().iter().all(|e| e.node != "ethernet-input" || e.count == 0));
        }
    }
}

#[test]
fn frames_that_no_input_node_made_get_a_reason() {
    let first = node("first", &["ethernet-input"], |c| c.enqueue_all(0));
    let features = vec![feature("device-input", "first", &["ethernet-input"], &[])];
    let report = host(vec![first], features)
        .trace(1)
        .inject(Packets::from_bytes([typed(0x88cc, &[0; 40])]))
        .run()
        .unwrap();
    assert_eq!(report.error("ethernet-input", "unknown ethernet type"), 1);
    assert_eq!(
        report.traces()[0].at("ethernet-input").unwrap().text,
        "802_1_LLDP: 02:00:00:00:00:01 -> 02:00:00:00:00:02"
    );
}
