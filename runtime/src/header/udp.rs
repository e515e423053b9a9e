//! UDP.

use super::{U16Be, headers};

headers! {
    /// A UDP header: `udp_header_t`.
    struct UdpHeader: 8 {
        /// From which port.
        pub source_port: U16Be,
        /// To which port.
        pub destination_port: U16Be,
        /// Bytes of header and payload, as the sender says.
        pub length: U16Be,
        /// Over the pseudo header, the header and the payload; 0 for none.
        pub checksum: U16Be,
    }
}
