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

/// An Ethernet header with its tags.
pub(crate) fn ethernet(_: &State, record: &[u8]) -> String {
    let (mut at, mut tags) = (12, String::new());
    while is_tag(word(record, at)) && at < 24 {
        let tag = word(record, at + 2);
        let _ = write!(
            tags,
            " {} vlan {}",
            if word(record, at) == 0x88a8 { "802.1ad" } else { "802.1q" },
            tag & 0xfff
        );
        if tag >> 13 != 0 {
            let _ = write!(tags, " priority {}", tag >> 13);
        }
        at += 4;
    }
    let name = match word(record, at) {
        0x0800 => "IP4".into(),
        0x0806 => "ARP".into(),
        0x86dd => "IP6".into(),
        0x8847 => "MPLS".into(),
        t @ 0..0x600 => format!("length {t}"),
        t => format!("0x{t:04x}"),
    };
    format!("{name}: {} -> {}{tags}", mac(record, 6), mac(record, 0))
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

/// An IPv4 header and what follows.
pub(crate) fn ip4(_: &State, record: &[u8]) -> String {
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
    if offset == 0 && len >= 20 {
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

/// An IPv6 header and what follows.
pub(crate) fn ip6(_: &State, record: &[u8]) -> String {
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

fn transport(s: &mut String, record: &[u8], at: usize, protocol: u8) {
    if at + 8 > record.len() {
        return;
    }
    let (a, b) = (word(record, at), word(record, at + 2));
    match protocol {
        1 | 58 => {
            let [kind, code] = bytes(record, at);
            let kind = match (protocol, kind) {
                (1, 0) => "echo_reply".into(),
                (1, 8) => "echo_request".into(),
                (58, 128) => "echo_request".into(),
                (58, 129) => "echo_reply".into(),
                (58, 135) => "neighbor_solicitation".into(),
                (58, 136) => "neighbor_advertisement".into(),
                (_, kind) => format!("type {kind} code {code}"),
            };
            let _ = write!(s, "\n  ICMP {kind} checksum 0x{b:04x}");
        }
        6 => {
            let seq = u32::from_be_bytes(bytes(record, at + 4));
            let _ = write!(s, "\n  TCP: {a} -> {b}\n    seq. 0x{seq:08x}");
        }
        17 => {
            let _ = write!(
                s,
                "\n  UDP: {a} -> {b}\n    length {}, checksum 0x{:04x}",
                word(record, at + 4),
                word(record, at + 6)
            );
        }
        _ => {}
    }
}
