//! How constants of VPP's are declared: once, with the list that the tests compare with the facts.

/// Declares public constants and `CONSTANTS`, their names and values.
macro_rules! constants {
    ($( $(#[$meta:meta])* $name:ident: $ty:ty = $value:expr; )*) => {
        $( $(#[$meta])* pub const $name: $ty = $value; )*
        /// The constants of this module, for the tests.
        pub const CONSTANTS: &[(&str, i64)] = &[$( (stringify!($name), $name as i64), )*];
    };
}
pub(crate) use constants;
