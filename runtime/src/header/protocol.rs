//! What IP carries.

use core::fmt;

/// What an IP packet carries: the protocol field of IPv4, the next header of IPv6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct IpProtocol(pub u8);

impl IpProtocol {
    /// IPv6 hop-by-hop options
    pub const HOP_BY_HOP: Self = Self(0);
    /// ICMP for IPv4
    pub const ICMP: Self = Self(1);
    /// IGMP
    pub const IGMP: Self = Self(2);
    /// TCP
    pub const TCP: Self = Self(6);
    /// UDP
    pub const UDP: Self = Self(17);
    /// IPv6 fragment header
    pub const IPV6_FRAGMENT: Self = Self(44);
    /// GRE
    pub const GRE: Self = Self(47);
    /// IPsec encapsulating security payload
    pub const ESP: Self = Self(50);
    /// ICMP for IPv6
    pub const ICMP6: Self = Self(58);
    /// SCTP
    pub const SCTP: Self = Self(132);
}

impl fmt::Display for IpProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ICMP => f.write_str("ICMP"),
            Self::IGMP => f.write_str("IGMP"),
            Self::TCP => f.write_str("TCP"),
            Self::UDP => f.write_str("UDP"),
            Self::GRE => f.write_str("GRE"),
            Self::ESP => f.write_str("ESP"),
            Self::ICMP6 => f.write_str("ICMP6"),
            Self::SCTP => f.write_str("SCTP"),
            Self(other) => write!(f, "protocol {other}"),
        }
    }
}

impl fmt::Debug for IpProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
