//! Drops ICMP on the IPv4 unicast feature arc.

use std::net::Ipv4Addr;

use vppkit::prelude::*;

/// Called once, when VPP has loaded the plugin.
#[vlib_plugin(description = "Drop ICMP")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// Why a packet was dropped.
#[derive(NodeErrors)]
pub enum Error {
    /// ICMP packets dropped
    #[error(severity = info)]
    Icmp,
    /// packets too short for an IPv4 header
    Short,
}

/// What `show trace` prints.
#[derive(Trace, Clone, Copy)]
#[trace("{source} -> {destination} {protocol}")]
pub struct Seen {
    source: Ipv4Addr,
    destination: Ipv4Addr,
    protocol: IpProtocol,
}

/// Lets everything pass but ICMP.
#[vlib_node(name = "drop-icmp", errors = Error, trace = Seen)]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
#[multiarch(icl, skx, hsw, neon)]
pub fn drop_icmp(node: &mut NodeContext<drop_icmp>, packet: &mut Packet) -> Verdict<drop_icmp> {
    let Some(ip) = packet.header::<Ipv4Header>() else {
        return Verdict::Drop(Error::Short);
    };
    node.trace(packet, || Seen { source: ip.source(), destination: ip.destination(), protocol: ip.protocol });
    if ip.protocol == IpProtocol::ICMP { Verdict::Drop(Error::Icmp) } else { Verdict::NextFeature }
}
