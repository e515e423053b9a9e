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
    /// Its size in C; for a [prefix](Self::prefix) the smallest that a supported release gives it.
    pub size: usize,
    /// The mirror may end before the record does: releases differ from there on, or nothing here needs the rest.
    pub prefix: bool,
    /// Its alignment.
    pub align: usize,
    /// Every field of the mirror.
    pub fields: &'static [Field],
}

impl Record {
    /// The fields that have a counterpart in C, which is all but the holes.
    pub fn named_fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.fields.iter().filter(|field| !field.name.starts_with("_pad"))
    }
}

/// A type that mirrors a C record.
pub trait Mirror {
    /// Its layout.
    const RECORD: Record;
}

/// The C name of an identifier that Rust may have to write as `r#name`.
#[doc(hidden)]
pub const fn c_name(identifier: &'static str) -> &'static str {
    match identifier.as_bytes() {
        [b'r', b'#', name @ ..] => match core::str::from_utf8(name) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        },
        _ => identifier,
    }
}

/// Declares `#[repr(C)]` mirrors. `size` is the size in C; `prefix` says that the mirror ends earlier.
/// Fields named `_padN` are holes or fields that nothing here needs.
macro_rules! mirror {
    ($(
        $(#[$meta:meta])*
        struct $name:ident: $align:literal, $size_kind:ident $size:literal {
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
                $crate::mirror::mirror!(@assert $size_kind $name $size);
            };

            impl $crate::mirror::Mirror for $name {
                const RECORD: $crate::mirror::Record = $crate::mirror::Record {
                    name: stringify!($name),
                    size: $size,
                    prefix: $crate::mirror::mirror!(@is_prefix $size_kind),
                    align: $align,
                    fields: &[$(
                        $crate::mirror::Field {
                            name: $crate::mirror::c_name(stringify!($field)),
                            offset: core::mem::offset_of!($name, $field),
                            size: size_of::<$ty>(),
                        },
                    )*],
                };
            }
        )*

        /// The records of this module, for the tests.
        pub const RECORDS: &[$crate::mirror::Record] = &[$( <$name as $crate::mirror::Mirror>::RECORD, )*];
    };
    (@assert size $name:ident $size:literal) => { assert!(size_of::<$name>() == $size, stringify!($name)); };
    (@assert prefix $name:ident $size:literal) => { assert!(size_of::<$name>() <= $size, stringify!($name)); };
    (@is_prefix size) => { false };
    (@is_prefix prefix) => { true };
}
pub(crate) use mirror;
