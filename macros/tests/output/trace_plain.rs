// #[derive(Trace)]
// struct Seen {
//     length: u16,
// }
// becomes:

const _: () = {
    #[automatically_derived]
    impl ::vppkit::Trace for Seen {}
    #[allow(dead_code)]
    fn __vppkit_fields() {
        fn __vppkit_holds<T: ::vppkit::TraceField>() {}
        __vppkit_holds::<u16>();
    }
};
