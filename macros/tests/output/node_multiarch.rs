// #[vlib_node(name = "count-packets", next = Next)]
// #[multiarch(hsw, skx, neon)]
// fn count_packets(_node: &mut NodeContext<count_packets>, _packet: &mut Packet) -> Next {
//     Next::Lookup
// }
// becomes:

#[allow(clippy::inline_always)]
#[inline(always)]
fn count_packets(_node: &mut NodeContext<count_packets>, _packet: &mut Packet) -> Next {
    Next::Lookup
}
/// The node `count-packets`.
#[allow(non_camel_case_types)]
enum count_packets {}
const _: () = {
    #[automatically_derived]
    impl ::vppkit::Node for count_packets {
        const NAME: &'static ::core::ffi::CStr = c"count-packets";
        type Next = Next;
        type Errors = ::vppkit::NoErrors;
        type Trace = ::vppkit::NoTrace;
        type Placement = ::vppkit::NoArc;
    }
    #[automatically_derived]
    impl ::vppkit::IntoVerdict<count_packets> for Next {
        #[inline(always)]
        fn into_verdict(self) -> ::vppkit::Verdict<count_packets> {
            ::vppkit::Verdict::Next(self)
        }
    }
    #[automatically_derived]
    impl ::vppkit::PacketNode for count_packets {
        #[inline(always)]
        fn process(
            node: &mut ::vppkit::NodeContext<'_, Self>,
            packet: &mut ::vppkit::Packet<'_>,
        ) -> ::vppkit::Verdict<Self> {
            ::vppkit::IntoVerdict::<Self>::into_verdict(count_packets(node, packet))
        }
    }
    enum __Vppkit_hsw {}
    #[allow(unsafe_code)]
    unsafe impl ::vppkit::__private::IsaClone<count_packets> for __Vppkit_hsw {
        const ISA: &'static str = "hsw";
        const FEATURES: &'static str = "avx,avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,lzcnt,movbe,pclmulqdq,popcnt,rdrand,sse3,sse4.1,sse4.2,ssse3,xsave,xsaveopt";
        #[target_feature(
            enable = "avx,avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,lzcnt,movbe,pclmulqdq,popcnt,rdrand,sse3,sse4.1,sse4.2,ssse3,xsave,xsaveopt"
        )]
        unsafe fn decide(
            call: &mut ::vppkit::__private::Call,
        ) -> ::core::option::Option<::core::primitive::u16> {
            ::vppkit::__private::decide::<count_packets>(call)
        }
    }
    enum __Vppkit_skx {}
    #[allow(unsafe_code)]
    unsafe impl ::vppkit::__private::IsaClone<count_packets> for __Vppkit_skx {
        const ISA: &'static str = "skx";
        const FEATURES: &'static str = "adx,aes,avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi1,bmi2,cmpxchg16b,f16c,fma,lzcnt,movbe,pclmulqdq,popcnt,rdrand,rdseed,sse3,sse4.1,sse4.2,ssse3,xsave,xsavec,xsaveopt,xsaves";
        #[target_feature(
            enable = "adx,aes,avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi1,bmi2,cmpxchg16b,f16c,fma,lzcnt,movbe,pclmulqdq,popcnt,rdrand,rdseed,sse3,sse4.1,sse4.2,ssse3,xsave,xsavec,xsaveopt,xsaves"
        )]
        unsafe fn decide(
            call: &mut ::vppkit::__private::Call,
        ) -> ::core::option::Option<::core::primitive::u16> {
            ::vppkit::__private::decide::<count_packets>(call)
        }
    }
    #[allow(unsafe_code)]
    #[::vppkit::__private::linkme::distributed_slice(::vppkit::__private::VPPKIT_NODES)]
    #[linkme(crate = ::vppkit::__private::linkme)]
    static __VPPKIT_NODE: ::vppkit::__private::NodeDescriptor = <::vppkit::__private::NodeDescriptor>::packet::<
        count_packets,
    >()
        .clones(
            &[
                ::vppkit::__private::NodeClone::of::<count_packets, __Vppkit_hsw>(),
                ::vppkit::__private::NodeClone::of::<count_packets, __Vppkit_skx>(),
            ],
        );
};
