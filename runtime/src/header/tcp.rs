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
}
