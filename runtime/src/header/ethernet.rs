//! Ethernet.

use core::fmt;

use super::{U16Be, headers};

headers! {
    /// An Ethernet header: `ethernet_header_t`.
    struct EthernetHeader: 14 {
        /// To whom.
        pub destination: MacAddress,
        /// From whom.
        pub source: MacAddress,
        /// What follows.
        pub ether_type: EtherType,
    }
}

/// An Ethernet address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct MacAddress(pub [u8; 6]);

impl MacAddress {
    /// All stations.
    pub const BROADCAST: Self = Self([0xff; 6]);

    /// Whether it is for a group of stations.
    pub const fn is_multicast(self) -> bool {
        self.0[0] & 1 != 0
    }
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

impl fmt::Debug for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What an Ethernet frame carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct EtherType(pub U16Be);

impl EtherType {
    /// IPv4
    pub const IPV4: Self = Self(U16Be::new(0x0800));
    /// ARP
    pub const ARP: Self = Self(U16Be::new(0x0806));
    /// A VLAN tag, 802.1Q
    pub const VLAN: Self = Self(U16Be::new(0x8100));
    /// IPv6
    pub const IPV6: Self = Self(U16Be::new(0x86dd));
    /// A service VLAN tag, 802.1ad
    pub const QINQ: Self = Self(U16Be::new(0x88a8));
}

impl fmt::Debug for EtherType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EtherType({:#06x})", self.0.get())
    }
}
