//! ICMP, for IPv4 and IPv6.

use super::{U16Be, headers};

headers! {
    /// The start of an ICMP message: `icmp46_header_t`.
    struct IcmpHeader: 4 {
        /// What kind of message.
        pub message_type: u8,
        /// More about it.
        pub code: u8,
        /// Over the message; for IPv6 with a pseudo header.
        pub checksum: U16Be,
    }
}
