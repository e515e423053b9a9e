//! What nearly every plugin needs: `use vppkit::prelude::*;`.

pub use crate::header::{
    EtherType, EthernetHeader, Header, IcmpHeader, IpProtocol, Ipv4Header, Ipv6Header, MacAddress, TcpHeader,
    U16Be, U32Be, UdpHeader, VlanHeader,
};
pub use crate::{
    IntoVerdict, MainBarrier, NextNodes, NodeContext, NodeErrors, Packet, Result, SwIfIndex, Trace, Verdict,
    multiarch, vlib_node, vlib_plugin, vnet_feature,
};
