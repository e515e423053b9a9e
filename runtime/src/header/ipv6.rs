//! IPv6.

use core::net::Ipv6Addr;

use super::{IpProtocol, U16Be, U32Be, headers};

headers! {
    /// An IPv6 header: `ip6_header_t`.
    struct Ipv6Header: 40 {
        version_class_and_flow: U32Be,
        /// Bytes after this header, as the sender says.
        pub payload_length: U16Be,
        /// What follows: an extension header, or what the packet carries.
        pub protocol: IpProtocol,
        /// Hops left.
        pub hop_limit: u8,
        source: [u8; 16],
        destination: [u8; 16],
    }
}

impl Ipv6Header {
    /// 6, if it is what it claims to be.
    #[inline]
    pub const fn version(&self) -> u8 {
        (self.version_class_and_flow.get() >> 28) as u8
    }

    /// DSCP and ECN.
    #[inline]
    pub const fn traffic_class(&self) -> u8 {
        (self.version_class_and_flow.get() >> 20) as u8
    }

    /// The flow label, 20 bits.
    #[inline]
    pub const fn flow_label(&self) -> u32 {
        self.version_class_and_flow.get() & 0xf_ffff
    }

    /// From whom.
    #[inline]
    pub fn source(&self) -> Ipv6Addr {
        Ipv6Addr::from(self.source)
    }

    /// To whom.
    #[inline]
    pub fn destination(&self) -> Ipv6Addr {
        Ipv6Addr::from(self.destination)
    }
}
