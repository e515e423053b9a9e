//! How constants of VPP's are declared: once, with the list that the tests compare with the facts.

/// Declares public constants and `CONSTANTS`, their names in C and their values.
/// `as` gives the name in C where it is another one.
macro_rules! constants {
    ($( $(#[$meta:meta])* $name:ident $(as $c_name:ident)?: $ty:ty = $value:expr; )*) => {
        $( $(#[$meta])* pub const $name: $ty = $value; )*

        /// The constants of this module, for the tests.
        pub const CONSTANTS: &[(&str, i64)] =
            &[$( ($crate::constants::constants!(@name $name $($c_name)?), $name as i64), )*];
    };
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $c_name:ident) => { stringify!($c_name) };
}
pub(crate) use constants;
