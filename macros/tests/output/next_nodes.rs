// #[derive(NextNodes)]
// enum Next {
//     #[next_node("ip4-lookup")]
//     Lookup,
//     #[next_node("GigabitEthernet0/8/0-output")]
//     Output,
// }
// becomes:

#[automatically_derived]
impl ::vppkit::NextNodes for Next {
    const NAMES: &'static [&'static ::core::ffi::CStr] = &[
        c"ip4-lookup",
        c"GigabitEthernet0/8/0-output",
    ];
    #[inline(always)]
    fn index(self) -> ::core::primitive::u16 {
        match self {
            Self::Lookup => 0,
            Self::Output => 1,
        }
    }
}
