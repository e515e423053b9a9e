// #[vlib_node(name = "drop-icmp", next = Next, errors = Error, trace = Seen, crate = vk)]
// #[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
// /// Drops ICMP.
// #[vnet_feature(arc = "ip4-output", after = ["ipsec4-output-feature", "acl-plugin-out-ip4-fa"])]
// #[inline]
// pub fn drop_icmp(node: &mut NodeContext<drop_icmp>, packet: &mut Packet<'_>) -> Result<Verdict<drop_icmp>, Error> {
//     node.trace(packet, || Seen { length: 20 });
//     if packet.len() < 20 { Err(Error::Short) } else { Ok(Verdict::NextFeature) }
// }
// becomes:

/// Drops ICMP.
#[inline]
pub fn drop_icmp(
    node: &mut NodeContext<drop_icmp>,
    packet: &mut Packet<'_>,
) -> Result<Verdict<drop_icmp>, Error> {
    node.trace(packet, || Seen { length: 20 });
    if packet.len() < 20 { Err(Error::Short) } else { Ok(Verdict::NextFeature) }
}
/// The node `drop-icmp`.
#[allow(non_camel_case_types)]
pub enum drop_icmp {}
const _: () = {
    #[automatically_derived]
    impl vk::Node for drop_icmp {
        const NAME: &'static ::core::ffi::CStr = c"drop-icmp";
        type Next = Next;
        type Errors = Error;
        type Trace = Seen;
        type Placement = vk::OnArc;
    }
    #[automatically_derived]
    impl vk::IntoVerdict<drop_icmp> for Next {
        #[inline(always)]
        fn into_verdict(self) -> vk::Verdict<drop_icmp> {
            vk::Verdict::Next(self)
        }
    }
    #[automatically_derived]
    impl vk::IntoDrop<drop_icmp> for Error {
        #[inline(always)]
        fn into_drop(self) -> Self {
            self
        }
    }
    #[automatically_derived]
    impl vk::IntoTrace<drop_icmp> for Seen {
        #[inline(always)]
        fn into_trace(self) -> Self {
            self
        }
    }
    #[automatically_derived]
    impl vk::PacketNode for drop_icmp {
        #[inline(always)]
        fn process(
            node: &mut vk::NodeContext<'_, Self>,
            packet: &mut vk::Packet<'_>,
        ) -> vk::Verdict<Self> {
            vk::IntoVerdict::<Self>::into_verdict(drop_icmp(node, packet))
        }
    }
    #[allow(unsafe_code)]
    #[vk::__private::linkme::distributed_slice(vk::__private::VPPKIT_NODES)]
    #[linkme(crate = vk::__private::linkme)]
    static __VPPKIT_NODE: vk::__private::NodeDescriptor = <vk::__private::NodeDescriptor>::packet::<
        drop_icmp,
    >();
    #[allow(unsafe_code)]
    #[vk::__private::linkme::distributed_slice(vk::__private::VPPKIT_FEATURES)]
    #[linkme(crate = vk::__private::linkme)]
    static __VPPKIT_FEATURE_0: vk::__private::FeatureDescriptor = vk::__private::FeatureDescriptor::new::<
        drop_icmp,
    >(c"ip4-unicast", &[c"ip4-lookup"], &[]);
    #[allow(unsafe_code)]
    #[vk::__private::linkme::distributed_slice(vk::__private::VPPKIT_FEATURES)]
    #[linkme(crate = vk::__private::linkme)]
    static __VPPKIT_FEATURE_1: vk::__private::FeatureDescriptor = vk::__private::FeatureDescriptor::new::<
        drop_icmp,
    >(c"ip4-output", &[], &[c"ipsec4-output-feature", c"acl-plugin-out-ip4-fa"]);
};
