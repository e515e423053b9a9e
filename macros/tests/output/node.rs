// #[vlib_node(name = "count-packets", next = Next)]
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
    #[allow(unsafe_code)]
    #[::vppkit::__private::linkme::distributed_slice(::vppkit::__private::VPPKIT_NODES)]
    #[linkme(crate = ::vppkit::__private::linkme)]
    static __VPPKIT_NODE: ::vppkit::__private::NodeDescriptor = <::vppkit::__private::NodeDescriptor>::packet::<
        count_packets,
    >();
};
