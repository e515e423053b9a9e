//! Headers as VPP's trace shows them.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::ethernet_input::is_tag;
use super::ip4_input::sum;
use crate::state::State;

/// The bytes of `N` at `at`, zeroes behind the end.
fn bytes<const N: usize>(record: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    let have = record.get(at..).unwrap_or_default();
    let n = have.len().min(N);
    out[..n].copy_from_slice(&have[..n]);
    out
}

fn word(record: &[u8], at: usize) -> u16 {
    u16::from_be_bytes(bytes(record, at))
}

fn mac(record: &[u8], at: usize) -> String {
    bytes::<6>(record, at).map(|b| format!("{b:02x}")).join(":")
}

/// VPP's names of Ethernet types, sorted.
static TYPES: &[(u16, &str)] = &[
    (0x0600, "XNS_IDP"),
    (0x0800, "IP4"),
    (0x0806, "ARP"),
    (0x0bad, "VINES_IP"),
    (0x0bae, "VINES_LOOPBACK"),
    (0x0baf, "VINES_ECHO"),
    (0x1984, "TRAIN"),
    (0x2000, "CDP"),
    (0x2001, "CGMP"),
    (0x2007, "SRP_CONTROL"),
    (0x2452, "CENTRINO_PROMISC"),
    (0x6000, "DECNET"),
    (0x6001, "DECNET_DUMP_LOAD"),
    (0x6002, "DECNET_REMOTE_CONSOLE"),
    (0x6003, "DECNET_ROUTE"),
    (0x6004, "DEC_LAT"),
    (0x6005, "DEC_DIAGNOSTIC"),
    (0x6006, "DEC_CUSTOMER"),
    (0x6007, "DEC_SCA"),
    (0x6558, "TRANSPARENT_BRIDGING"),
    (0x6559, "RAW_FRAME_RELAY"),
    (0x8035, "REVERSE_ARP"),
    (0x8038, "DEC_LAN_BRIDGE"),
    (0x803d, "DEC_ETHERNET_ENCRYPTION"),
    (0x803f, "DEC_LAN_TRAFFIC_MONITOR"),
    (0x8041, "DEC_LAST"),
    (0x809b, "APPLETALK"),
    (0x80d5, "IBM_SNA"),
    (0x80f3, "APPLETALK_AARP"),
    (0x80ff, "WELLFLEET_COMPRESSION"),
    (0x8100, "VLAN"),
    (0x8137, "IPX"),
    (0x814c, "SNMP"),
    (0x81fd, "CABLETRON_ISMP"),
    (0x81ff, "CABLETRON_ISMP_TBFLOOD"),
    (0x86dd, "IP6"),
    (0x86df, "ATOMIC"),
    (0x876b, "TCP_IP_COMPRESSION"),
    (0x876c, "IP_AUTONOMOUS_SYSTEMS"),
    (0x876d, "SECURE_DATA"),
    (0x8808, "MAC_CONTROL"),
    (0x8809, "SLOW_PROTOCOLS"),
    (0x880b, "PPP"),
    (0x8847, "MPLS"),
    (0x8848, "MPLS_UPSTREAM_ASSIGNED"),
    (0x8863, "PPPOE_DISCOVERY"),
    (0x8864, "PPPOE_SESSION"),
    (0x886d, "INTEL_ANS"),
    (0x886f, "MICROSOFT_NLB_HEARTBEAT"),
    (0x8870, "LLC_ENCAP"),
    (0x8881, "CDMA_2000"),
    (0x888e, "802_1X_AUTHENTICATION"),
    (0x8892, "PROFINET"),
    (0x889a, "HYPERSCSI"),
    (0x88a2, "AOE"),
    (0x88a8, "DOT1AD"),
    (0x88ae, "BRDWALK"),
    (0x88b7, "802_OUI_EXTENDED"),
    (0x88c7, "802_11I_PRE_AUTHENTICATION"),
    (0x88cc, "802_1_LLDP"),
    (0x88e5, "802_1_AE_MACSEC"),
    (0x88e7, "DOT1AH"),
    (0x894f, "NSH"),
    (0x9000, "LOOPBACK"),
    (0x9021, "RTNET_MAC"),
    (0x9022, "RTNET_CONFIG"),
    (0x9100, "VLAN_9100"),
    (0x9200, "VLAN_9200"),
    (0x9999, "PGLAN"),
    (0xe23b, "802_1_AEDK_PRIVACY_PROTECTION"),
    (0xfefe, "SRP_ISIS"),
    (0xffff, "RESERVED"),
];

/// An Ethernet header with its tags.
pub(crate) fn ethernet(record: &[u8]) -> String {
    ethernet_and_type(record).0
}

/// An Ethernet header with its tags, its length, and the type of what follows.
fn ethernet_and_type(record: &[u8]) -> (String, usize, u16) {
    let (mut at, mut tags) = (12, String::new());
    let outer = word(record, at);
    while is_tag(word(record, at)) && at < 20 {
        let tag = word(record, at + 2);
        let name = if outer == 0x8100 { "802.1q" } else { "802.1ad" };
        let _ = write!(tags, " {name} vlan {}", tag & 0xfff);
        if tag >> 13 != 0 {
            let _ = write!(tags, " priority {}", tag >> 13);
        }
        if tag & 0x1000 != 0 {
            tags.push_str(" cfi");
        }
        at += 4;
    }
    let r#type = word(record, at);
    let name = match TYPES.binary_search_by_key(&r#type, |t| t.0) {
        Ok(i) => TYPES[i].1.into(),
        Err(_) => format!("0x{type:04x}"),
    };
    (format!("{name}: {} -> {}{tags}", mac(record, 6), mac(record, 0)), at + 2, r#type)
}

/// A frame's headers: Ethernet's and what follows.
pub(crate) fn frame(record: &[u8]) -> String {
    let (mut s, len, r#type) = ethernet_and_type(record);
    let rest = record.get(len..).unwrap_or_default();
    let next = match r#type {
        0x0800 => ip4_header(rest),
        0x86dd => ip6_header(rest),
        0x0806 => arp(rest),
        _ => return s,
    };
    if !rest.is_empty() && !next.is_empty() {
        let _ = write!(s, "\n  {next}");
    }
    s
}

/// An ARP packet for IPv4 on Ethernet; nothing for others.
fn arp(record: &[u8]) -> String {
    let operation = match word(record, 6) {
        1 => "request",
        2 => "reply",
        _ => return String::new(),
    };
    if (word(record, 0), word(record, 2)) != (1, 0x0800) {
        return String::new();
    }
    let address = |at: usize| Ipv4Addr::from(bytes::<4>(record, at));
    let [l2, l3] = bytes(record, 4);
    format!(
        "{operation}, type ethernet/IP4, address size {l2}/{l3}\n  {}/{} -> {}/{}",
        mac(record, 8),
        address(14),
        mac(record, 18),
        address(24)
    )
}

fn protocol(p: u8) -> String {
    match p {
        0 => "IP6_HOP_BY_HOP_OPTIONS".into(),
        1 => "ICMP".into(),
        2 => "IGMP".into(),
        4 => "IP_IN_IP".into(),
        6 => "TCP".into(),
        17 => "UDP".into(),
        41 => "IPV6".into(),
        43 => "IPV6_ROUTE".into(),
        44 => "IPV6_FRAGMENTATION".into(),
        47 => "GRE".into(),
        50 => "IPSEC_ESP".into(),
        51 => "IPSEC_AH".into(),
        58 => "ICMP6".into(),
        89 => "OSPF".into(),
        103 => "PIM".into(),
        112 => "VRRP".into(),
        132 => "SCTP".into(),
        _ => format!("unknown {p}"),
    }
}

/// What `ip4-input` records.
pub(crate) fn ip4(_: &State, record: &[u8]) -> String {
    ip4_header(record)
}

/// An IPv4 header and what follows.
fn ip4_header(record: &[u8]) -> String {
    if record.len() < 20 {
        return "IP header truncated".into();
    }
    let h: [u8; 20] = bytes(record, 0);
    let len = usize::from(h[0] & 0xf) * 4;
    let address = |at: usize| Ipv4Addr::from(bytes::<4>(record, at));
    let mut s = format!("{}: {} -> {}", protocol(h[9]), address(12), address(16));
    if h[0] != 0x45 {
        let _ = write!(s, "\n    version {}, header length {len}", h[0] >> 4);
    }
    let _ = write!(
        s,
        "\n    tos 0x{:02x}, ttl {}, length {}, checksum 0x{:04x}",
        h[1],
        h[8],
        word(record, 2),
        word(record, 10)
    );
    if len >= 20 && len <= record.len() && sum(&record[..len]) != 0xffff {
        let mut zeroed = record[..len].to_vec();
        zeroed[10..12].fill(0);
        let _ = write!(s, " (should be 0x{:04x})", !sum(&zeroed));
    }
    let _ = write!(
        s,
        " dscp {} ecn {}",
        dscp(h[1] >> 2),
        ["NON_ECN", "ECT_1", "ECT_0", "CE"][usize::from(h[1] & 3)]
    );
    let fragment = word(record, 6);
    let _ = write!(s, "\n    fragment id 0x{:04x}", word(record, 4));
    let offset = (fragment & 0x1fff) * 8;
    if offset != 0 {
        let _ = write!(s, " offset {offset}");
    }
    if fragment & 0xe000 != 0 {
        let names = [(0x2000, "MORE_FRAGMENTS"), (0x4000, "DONT_FRAGMENT"), (0x8000, "CONGESTION")];
        let flags: String = names.iter().filter(|(bit, _)| fragment & bit != 0).map(|(_, n)| *n).collect();
        let _ = write!(s, ", flags {flags}");
    }
    if offset == 0 {
        transport(&mut s, record, len, h[9]);
    }
    s
}

fn dscp(value: u8) -> String {
    match value {
        0 => "CS0".into(),
        8 | 16 | 24 | 32 | 40 | 48 | 56 => format!("CS{}", value / 8),
        46 => "EF".into(),
        10..=38 if value & 1 == 0 && (value >> 1 & 3) != 0 => format!("AF{}{}", value >> 3, value >> 1 & 3),
        _ => format!("0x{value:02x}"),
    }
}

/// What `ip6-input` records.
pub(crate) fn ip6(_: &State, record: &[u8]) -> String {
    ip6_header(record)
}

/// An IPv6 header and what follows.
fn ip6_header(record: &[u8]) -> String {
    if record.len() < 40 {
        return "IP header truncated".into();
    }
    let first = u32::from_be_bytes(bytes(record, 0));
    let address = |at: usize| Ipv6Addr::from(bytes::<16>(record, at));
    let next: [u8; 2] = bytes(record, 6);
    let mut s = format!("{}: {} -> {}", protocol(next[0]), address(8), address(24));
    if first >> 28 != 6 {
        let _ = write!(s, "\n    version {}", first >> 28);
    }
    let _ = write!(
        s,
        "\n    tos 0x{:02x}, flow label 0x{:x}, hop limit {}, payload length {}",
        first >> 20 & 0xff,
        first & 0xf_ffff,
        next[1],
        word(record, 4)
    );
    transport(&mut s, record, 40, next[0]);
    s
}

/// What follows an IP header at `at`, if there is any of it.
fn transport(s: &mut String, record: &[u8], at: usize, protocol: u8) {
    let Some(rest) = record.get(at..).filter(|rest| !rest.is_empty()) else { return };
    let text = match protocol {
        1 => icmp(rest, &ICMP4, &ICMP4_CODES, protocol),
        6 => tcp(rest),
        17 => udp(rest),
        58 => icmp(rest, &ICMP6, &ICMP6_CODES, protocol),
        _ => return,
    };
    let _ = write!(s, "\n  {text}");
}

fn udp(data: &[u8]) -> String {
    if data.len() < 8 {
        return "UDP header truncated".into();
    }
    let [source, destination, length, checksum] = [0, 2, 4, 6].map(|at| word(data, at));
    format!("UDP: {source} -> {destination}\n    length {length}, checksum 0x{checksum:04x}")
}

fn tcp(data: &[u8]) -> String {
    if data.len() < 20 {
        return "TCP header truncated".into();
    }
    let number = |at: usize| u32::from_be_bytes(bytes(data, at));
    let (len, flags) = (usize::from(data[12] >> 4) * 4, data[13]);
    let mut s = format!(
        "TCP: {} -> {}\n    seq. 0x{:08x} ack 0x{:08x}\n    flags 0x{flags:02x}",
        word(data, 0),
        word(data, 2),
        number(4),
        number(8)
    );
    for (bit, name) in ["FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"].iter().enumerate() {
        if flags >> bit & 1 != 0 {
            let _ = write!(s, " {name}");
        }
    }
    let _ = write!(
        s,
        ", tcp header: {len} bytes\n    window {}, checksum 0x{:04x}\n    ",
        word(data, 14),
        word(data, 16)
    );
    if len > data.len() {
        s.push_str("options: truncated");
        return s;
    }
    match tcp_options(data, len, flags & 2 != 0) {
        // The line that VPP begins for them stays empty.
        Some(options) if options.is_empty() => {}
        Some(options) => {
            let _ = write!(s, "options:\n      {}", options.join(", "));
        }
        None => s.push_str("options: parsing failed"),
    }
    s
}

/// The options of a TCP header that VPP prints, in its order: only those that a SYN has. `None` if they are broken.
/// VPP prints an address instead of the numbers of window scale and timestamp; here they are right.
fn tcp_options(data: &[u8], len: usize, is_syn: bool) -> Option<Vec<String>> {
    let [mut mss, mut scale, mut timestamp, mut sack] = [const { None }; 4];
    let mut at = 20;
    // VPP counts what is left in 8 bits, so a header that is too short has many.
    let mut left = len.wrapping_sub(20) & 0xff;
    while left > 0 {
        let [kind, size] = bytes(data, at);
        let size = match kind {
            0 => break,
            1 => 1,
            _ if left < 2 => return None,
            _ => usize::from(size),
        };
        if kind != 1 && (size < 2 || size > left) {
            return None;
        }
        match (kind, size) {
            (2, 4) => mss = Some(format!("mss {}", word(data, at + 2))),
            (3, 3) => scale = Some(format!("window scale {}", bytes::<1>(data, at + 2)[0].min(14))),
            (4, 2) => sack = Some("sack permitted".into()),
            (8, _) => {
                let value = u32::from_be_bytes(bytes(data, at + 2));
                timestamp = Some(format!("timestamp {value}, echo/reflected timestamp"));
            }
            _ => {}
        }
        at += size;
        left -= size;
    }
    if !is_syn {
        return Some(Vec::new());
    }
    Some([mss, scale, timestamp, sack].into_iter().flatten().collect())
}

/// VPP's names of ICMP's types, and of their codes.
type Names<K, const N: usize> = [(K, &'static str); N];

static ICMP4: Names<u8, 27> = [
    (0, "echo_reply"),
    (3, "destination_unreachable"),
    (4, "source_quench"),
    (5, "redirect"),
    (6, "alternate_host_address"),
    (8, "echo_request"),
    (9, "router_advertisement"),
    (10, "router_solicitation"),
    (11, "time_exceeded"),
    (12, "parameter_problem"),
    (13, "timestamp_request"),
    (14, "timestamp_reply"),
    (15, "information_request"),
    (16, "information_reply"),
    (17, "address_mask_request"),
    (18, "address_mask_reply"),
    (30, "traceroute"),
    (31, "datagram_conversion_error"),
    (32, "mobile_host_redirect"),
    (33, "ip6_where_are_you"),
    (34, "ip6_i_am_here"),
    (35, "mobile_registration_request"),
    (36, "mobile_registration_reply"),
    (37, "domain_name_request"),
    (38, "domain_name_reply"),
    (39, "skip"),
    (40, "photuris"),
];

static ICMP4_CODES: Names<(u8, u8), 27> = [
    ((3, 0), "destination_unreachable_net"),
    ((3, 1), "destination_unreachable_host"),
    ((3, 2), "protocol_unreachable"),
    ((3, 3), "port_unreachable"),
    ((3, 4), "fragmentation_needed_and_dont_fragment_set"),
    ((3, 5), "source_route_failed"),
    ((3, 6), "destination_network_unknown"),
    ((3, 7), "destination_host_unknown"),
    ((3, 8), "source_host_isolated"),
    ((3, 9), "network_administratively_prohibited"),
    ((3, 10), "host_administratively_prohibited"),
    ((3, 11), "network_unreachable_for_type_of_service"),
    ((3, 12), "host_unreachable_for_type_of_service"),
    ((3, 13), "communication_administratively_prohibited"),
    ((3, 14), "host_precedence_violation"),
    ((3, 15), "precedence_cutoff_in_effect"),
    ((5, 0), "network_redirect"),
    ((5, 1), "host_redirect"),
    ((5, 2), "type_of_service_and_network_redirect"),
    ((5, 3), "type_of_service_and_host_redirect"),
    ((9, 0), "normal_router_advertisement"),
    ((9, 16), "does_not_route_common_traffic"),
    ((11, 0), "ttl_exceeded_in_transit"),
    ((11, 1), "fragment_reassembly_time_exceeded"),
    ((12, 0), "pointer_indicates_error"),
    ((12, 1), "missing_required_option"),
    ((12, 2), "bad_length"),
];

static ICMP6: Names<u8, 30> = [
    (1, "destination_unreachable"),
    (2, "packet_too_big"),
    (3, "time_exceeded"),
    (4, "parameter_problem"),
    (128, "echo_request"),
    (129, "echo_reply"),
    (130, "multicast_listener_request"),
    (131, "multicast_listener_report"),
    (132, "multicast_listener_done"),
    (133, "router_solicitation"),
    (134, "router_advertisement"),
    (135, "neighbor_solicitation"),
    (136, "neighbor_advertisement"),
    (137, "redirect"),
    (138, "router_renumbering"),
    (139, "node_information_request"),
    (140, "node_information_response"),
    (141, "inverse_neighbor_solicitation"),
    (142, "inverse_neighbor_advertisement"),
    (143, "multicast_listener_report_v2"),
    (144, "home_agent_address_discovery_request"),
    (145, "home_agent_address_discovery_reply"),
    (146, "mobile_prefix_solicitation"),
    (147, "mobile_prefix_advertisement"),
    (148, "certification_path_solicitation"),
    (149, "certification_path_advertisement"),
    (151, "multicast_router_advertisement"),
    (152, "multicast_router_solicitation"),
    (153, "multicast_router_termination"),
    (154, "fmipv6_messages"),
];

static ICMP6_CODES: Names<(u8, u8), 21> = [
    ((1, 0), "no_route_to_destination"),
    ((1, 1), "destination_administratively_prohibited"),
    ((1, 2), "beyond_scope_of_source_address"),
    ((1, 3), "address_unreachable"),
    ((1, 4), "port_unreachable"),
    ((1, 5), "source_address_failed_policy"),
    ((1, 6), "reject_route_to_destination"),
    ((3, 0), "ttl_exceeded_in_transit"),
    ((3, 1), "fragment_reassembly_time_exceeded"),
    ((4, 0), "erroneous_header_field"),
    ((4, 1), "unrecognized_next_header"),
    ((4, 2), "unrecognized_option"),
    ((4, 3), "first_fragment_has_incomplete_header_chain"),
    ((138, 0), "command"),
    ((138, 1), "result"),
    ((139, 0), "data_contains_ip6_address"),
    ((139, 1), "data_contains_name"),
    ((139, 2), "data_contains_ip4_address"),
    ((140, 0), "success"),
    ((140, 1), "failed"),
    ((140, 2), "unknown_request"),
];

fn icmp(data: &[u8], types: &[(u8, &str)], codes: &[((u8, u8), &str)], protocol: u8) -> String {
    if data.len() < 4 {
        return "ICMP header truncated".into();
    }
    let [kind, code] = bytes(data, 0);
    let mut s = match types.iter().find(|t| t.0 == kind) {
        Some((_, name)) => format!("ICMP {name}"),
        None => format!("ICMP unknown 0x{kind:x}"),
    };
    if let Some((_, name)) = codes.iter().find(|c| c.0 == (kind, code)) {
        let _ = write!(s, " {name}");
    }
    let _ = write!(s, " checksum 0x{:x}", word(data, 2));
    match (protocol, kind) {
        (1, 0 | 8) if data.len() > 6 => {
            let _ = write!(s, " id {}", word(data, 4));
        }
        (58, 135 | 136) if data.len() >= 24 => {
            let _ = write!(s, "\n    target address {}", Ipv6Addr::from(bytes::<16>(data, 8)));
        }
        _ => {}
    }
    s
}
