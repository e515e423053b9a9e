//! Views of packet headers.
//!
//! A header is a type whose fields lie in memory as on the wire. [`Packet::header`](crate::Packet::header) gives a
//! reference into the packet, after it has checked the length; nothing is copied.
//!
//! ```
//! use vppkit::prelude::*;
//!
//! fn is_https(packet: &Packet) -> bool {
//!     let Some(ip) = packet.header::<Ipv4Header>() else { return false };
//!     ip.protocol == IpProtocol::TCP
//!         && packet.header_at::<TcpHeader>(ip.header_len()).is_some_and(|tcp| tcp.destination_port == 443)
//! }
//! ```

mod big_endian;
mod ethernet;
mod icmp;
mod ipv4;
mod ipv6;
mod protocol;
mod tcp;
mod udp;
mod vlan;

pub use big_endian::{U16Be, U32Be};
pub use ethernet::{EtherType, EthernetHeader, MacAddress};
pub use icmp::IcmpHeader;
pub use ipv4::Ipv4Header;
pub use ipv6::Ipv6Header;
pub use protocol::IpProtocol;
pub use tcp::TcpHeader;
pub use udp::UdpHeader;
pub use vlan::VlanHeader;

/// A type that can be seen in a packet's bytes.
///
/// # Safety
/// The type has alignment 1, no padding, no interior mutability, and every sequence of bytes of its size is a value of
/// it.
pub unsafe trait Header: Sized + 'static {}

/// Declares headers: their layout on the wire, and the check that there is no padding.
macro_rules! headers {
    ($( $(#[$meta:meta])* struct $name:ident: $size:literal { $( $(#[$fmeta:meta])* $vis:vis $field:ident: $ty:ty, )* } )*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[repr(C)]
            pub struct $name { $( $(#[$fmeta])* $vis $field: $ty, )* }

            const _: () = {
                assert!(size_of::<$name>() == $size && align_of::<$name>() == 1);
                assert!(size_of::<$name>() == 0 $( + size_of::<$ty>() )*);
                const fn is_header<T: $crate::header::Wire>() {}
                $( is_header::<$ty>(); )*
            };

            // SAFETY: `repr(C)`, alignment 1 and no padding (asserted above), and each field is `Wire`: plain bytes.
            unsafe impl $crate::header::Header for $name {}
        )*
    };
}
pub(crate) use headers;

/// What a header's fields are made of: plain bytes, alignment 1.
pub(crate) trait Wire {}
impl Wire for u8 {}
impl<const N: usize> Wire for [u8; N] {}
impl Wire for U16Be {}
impl Wire for U32Be {}
impl Wire for IpProtocol {}
impl Wire for MacAddress {}
impl Wire for EtherType {}
