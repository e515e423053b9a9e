//! VLAN tags.

use super::{EtherType, U16Be, headers};

headers! {
    /// What follows the type of a tagged frame: `ethernet_vlan_header_t`.
    struct VlanHeader: 4 {
        /// Priority, drop eligibility and VLAN id.
        pub tag: U16Be,
        /// What follows.
        pub ether_type: EtherType,
    }
}

impl VlanHeader {
    /// The VLAN id, 0 to 4095.
    pub const fn id(&self) -> u16 {
        self.tag.get() & 0x0fff
    }

    /// The priority, 0 to 7.
    pub const fn priority(&self) -> u8 {
        (self.tag.get() >> 13) as u8
    }
}
