// #[derive(Trace)]
// #[trace("{source} -> {destination:>15} {{protocol {protocol:#x}}}")]
// struct Seen {
//     source: Ipv4Addr,
//     destination: Ipv4Addr,
//     protocol: u8,
//     hidden: [u8; 4],
// }
// becomes:

const _: () = {
    #[automatically_derived]
    impl ::vppkit::Trace for Seen {}
    #[automatically_derived]
    impl ::core::fmt::Display for Seen {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let Self { source, destination, protocol, .. } = self;
            ::core::write!(f, "{source} -> {destination:>15} {{protocol {protocol:#x}}}")
        }
    }
    #[allow(dead_code)]
    fn __vppkit_fields() {
        fn __vppkit_holds<T: ::vppkit::TraceField>() {}
        __vppkit_holds::<Ipv4Addr>();
        __vppkit_holds::<Ipv4Addr>();
        __vppkit_holds::<u8>();
        __vppkit_holds::<[u8; 4]>();
    }
};
