//! TCP.

use super::{U16Be, U32Be, headers};

headers! {
    /// A TCP header without its options: `tcp_header_t`.
    struct TcpHeader: 20 {
        /// From which port.
        pub source_port: U16Be,
        /// To which port.
        pub destination_port: U16Be,
        /// Of the first byte of payload.
        pub sequence: U32Be,
        /// The next byte that the sender expects.
        pub acknowledgment: U32Be,
        data_offset: u8,
        /// FIN is bit 0, then SYN, RST, PSH, ACK, URG.
        pub flags: u8,
        /// Bytes that the sender can take.
        pub window: U16Be,
        /// Over the pseudo header, the header and the payload.
        pub checksum: U16Be,
        /// End of urgent data.
        pub urgent: U16Be,
    }
}

impl TcpHeader {
    /// Bytes of the header with its options, 0 to 60, as the sender says.
    #[inline]
    pub const fn header_len(&self) -> usize {
        (self.data_offset >> 4) as usize * 4
    }

    /// Whether it is the sender's last segment.
    #[inline]
    pub const fn fin(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Whether it opens a connection.
    #[inline]
    pub const fn syn(&self) -> bool {
        self.flags & 1 << 1 != 0
    }

    /// Whether it resets the connection.
    #[inline]
    pub const fn rst(&self) -> bool {
        self.flags & 1 << 2 != 0
    }

    /// Whether the receiver should hand the data on at once.
    #[inline]
    pub const fn psh(&self) -> bool {
        self.flags & 1 << 3 != 0
    }

    /// Whether `acknowledgment` is valid.
    #[inline]
    pub const fn ack(&self) -> bool {
        self.flags & 1 << 4 != 0
    }

    /// Whether `urgent` is valid.
    #[inline]
    pub const fn urg(&self) -> bool {
        self.flags & 1 << 5 != 0
    }
}
