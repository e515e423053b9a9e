// #[derive(Trace)]
// #[trace("length {1}")]
// #[vppkit(crate = vk)]
// struct Seen(u8, u16);
// becomes:

const _: () = {
    #[automatically_derived]
    impl vk::Trace for Seen {}
    #[automatically_derived]
    impl ::core::fmt::Display for Seen {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let Self { 1: __vppkit_field_1, .. } = self;
            ::core::write!(f, "length {__vppkit_field_1}")
        }
    }
    #[allow(dead_code)]
    fn __vppkit_fields() {
        fn __vppkit_holds<T: vk::TraceField>() {}
        __vppkit_holds::<u8>();
        __vppkit_holds::<u16>();
    }
};
