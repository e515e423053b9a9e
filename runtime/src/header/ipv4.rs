//! IPv4.

use core::net::Ipv4Addr;

use super::{IpProtocol, U16Be, headers};

headers! {
    /// An IPv4 header without its options: `ip4_header_t`.
    struct Ipv4Header: 20 {
        version_and_header_len: u8,
        /// DSCP and ECN.
        pub tos: u8,
        /// Bytes of the whole packet, as the sender says.
        pub total_length: U16Be,
        /// Common to the fragments of one datagram.
        pub fragment_id: U16Be,
        /// Flags in the top three bits, then the fragment's offset in units of 8 bytes.
        pub flags_and_fragment_offset: U16Be,
        /// Hops left.
        pub ttl: u8,
        /// What the packet carries.
        pub protocol: IpProtocol,
        /// Over the header.
        pub checksum: U16Be,
        source: [u8; 4],
        destination: [u8; 4],
    }
}

impl Ipv4Header {
    /// 4, if it is what it claims to be.
    #[inline]
    pub const fn version(&self) -> u8 {
        self.version_and_header_len >> 4
    }

    /// Bytes of the header with its options, 0 to 60, as the sender says.
    #[inline]
    pub const fn header_len(&self) -> usize {
        (self.version_and_header_len & 0xf) as usize * 4
    }

    /// From whom.
    #[inline]
    pub const fn source(&self) -> Ipv4Addr {
        let [a, b, c, d] = self.source;
        Ipv4Addr::new(a, b, c, d)
    }

    /// To whom.
    #[inline]
    pub const fn destination(&self) -> Ipv4Addr {
        let [a, b, c, d] = self.destination;
        Ipv4Addr::new(a, b, c, d)
    }

    /// Where in the datagram this fragment starts, in bytes; 0 if it is the first, or none.
    #[inline]
    pub const fn fragment_offset(&self) -> usize {
        (self.flags_and_fragment_offset.get() & 0x1fff) as usize * 8
    }

    /// Whether more fragments of the datagram follow.
    #[inline]
    pub const fn more_fragments(&self) -> bool {
        self.flags_and_fragment_offset.get() & 0x2000 != 0
    }
}
