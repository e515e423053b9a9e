//! Integers in network byte order.

use core::fmt;

macro_rules! big_endian {
    ($( $(#[$meta:meta])* $name:ident: $ty:ty, $bytes:literal; )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name([u8; $bytes]);

        impl $name {
            /// From a number.
            #[inline(always)]
            pub const fn new(value: $ty) -> Self {
                Self(value.to_be_bytes())
            }

            /// The number.
            #[inline(always)]
            pub const fn get(self) -> $ty {
                <$ty>::from_be_bytes(self.0)
            }
        }

        impl From<$ty> for $name {
            #[inline(always)]
            fn from(value: $ty) -> Self {
                Self::new(value)
            }
        }

        impl From<$name> for $ty {
            #[inline(always)]
            fn from(value: $name) -> Self {
                value.get()
            }
        }

        impl PartialEq<$ty> for $name {
            #[inline(always)]
            fn eq(&self, other: &$ty) -> bool {
                *self == Self::new(*other)
            }
        }

        impl PartialOrd<$ty> for $name {
            #[inline(always)]
            fn partial_cmp(&self, other: &$ty) -> Option<core::cmp::Ordering> {
                self.get().partial_cmp(other)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.get().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.get().fmt(f)
            }
        }
    )* };
}

big_endian! {
    /// A `u16` in network byte order.
    U16Be: u16, 2;
    /// A `u32` in network byte order.
    U32Be: u32, 4;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_in_network_order_and_so_is_the_order_of_values() {
        assert_eq!(U16Be::new(0x1234).0, [0x12, 0x34]);
        assert_eq!(U32Be::new(0x1234_5678).get(), 0x1234_5678);
        assert_eq!(U16Be::new(443), 443);
        assert!(U16Be::new(0x00ff) < U16Be::new(0x0100));
        assert!(U16Be::new(0x0100) > 0x00ff);
    }
}
