//! How a C record is mirrored: one declaration gives the `#[repr(C)]` type, its compile-time layout
//! assertions, and the list that the tests compare with the recorded facts of each release.

/// Offset and size of one mirrored field, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in C.
    pub name: &'static str,
    /// Offset from the start of the record.
    pub offset: usize,
    /// Size of the field; 0 for a flexible array.
    pub size: usize,
}

/// A C record as this crate mirrors it.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The record's name in C.
    pub name: &'static str,
    /// Its size in C. The mirror itself may end earlier, where releases begin to differ.
    pub size: usize,
    /// Its alignment.
    pub align: usize,
    /// Every field that the mirror names.
    pub fields: &'static [Field],
}

/// A type that mirrors a C record.
pub trait Mirror {
    /// Its layout.
    const RECORD: Record;
}

/// Size of the field behind a projection, without a value of the record.
#[doc(hidden)]
pub const fn field_size<R, F>(_: fn(*const R) -> *const F) -> usize {
    size_of::<F>()
}

/// Declares `#[repr(C)]` mirrors. `size` is the size in C; `prefix` says that the mirror ends earlier.
/// Fields named `_padN` are holes or fields that nothing here needs.
macro_rules! mirror {
    ($(
        $(#[$meta:meta])*
        $kind:ident $name:ident: $align:literal, $size_kind:ident $size:literal {
            $( $(#[$fmeta:meta])* $field:ident: $ty:ty = $offset:literal, )*
        }
    )*) => {
        $(
            $(#[$meta])*
            #[repr(C, align($align))]
            pub struct $name {
                $( $(#[$fmeta])* pub $field: $ty, )*
            }

            const _: () = {
                $( assert!(core::mem::offset_of!($name, $field) == $offset, concat!(stringify!($name), "::", stringify!($field))); )*
                assert!(align_of::<$name>() == $align, stringify!($name));
                $crate::mirror::mirror!(@size $size_kind $name $size);
            };

            impl $crate::mirror::Mirror for $name {
                const RECORD: $crate::mirror::Record = $crate::mirror::Record {
                    name: stringify!($name),
                    size: $size,
                    align: $align,
                    fields: &[$(
                        $crate::mirror::Field {
                            name: stringify!($field),
                            offset: core::mem::offset_of!($name, $field),
                            size: $crate::mirror::field_size::<$name, $ty>(|r| {
                                // The address is computed, never read.
                                r.wrapping_byte_add(core::mem::offset_of!($name, $field)).cast()
                            }),
                        },
                    )*],
                };
            }
        )*

        /// The records of this module, for the tests.
        pub const RECORDS: &[$crate::mirror::Record] = &[$( <$name as $crate::mirror::Mirror>::RECORD, )*];
    };
    (@size size $name:ident $size:literal) => { assert!(size_of::<$name>() == $size, stringify!($name)); };
    (@size prefix $name:ident $size:literal) => { assert!(size_of::<$name>() <= $size, stringify!($name)); };
}
pub(crate) use mirror;
