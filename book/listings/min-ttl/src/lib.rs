//! Drops IPv4 packets that have too few hops left, but not BGP between neighbours.

use std::net::Ipv4Addr;

use vppkit::prelude::*;

/// Called once, when VPP has loaded the plugin.
#[vlib_plugin(description = "Drop IPv4 packets with a low TTL")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// Packets with fewer hops left are not welcome.
const LIMIT: u8 = 5;

/// The port of BGP. Neighbours on one link send it with a TTL of 1.
const BGP: u16 = 179;

/// Why `min-ttl` drops a packet.
#[derive(NodeErrors)]
pub enum Error {
    /// packets too short for an IPv4 header
    Short,
}

/// Why `min-ttl-low` drops a packet, and what it counts.
#[derive(NodeErrors)]
pub enum LowError {
    /// packets with too few hops left
    LowTtl,
    /// packets too short for their headers
    Short,
    /// BGP packets let through
    #[error(severity = info)]
    Bgp,
}

/// What `show trace` prints.
#[derive(Trace, Clone, Copy)]
#[trace("{source} -> {destination} ttl {ttl}")]
pub struct Seen {
    source: Ipv4Addr,
    destination: Ipv4Addr,
    ttl: u8,
}

/// Where `min-ttl` sends packets beside the arc.
#[derive(NextNodes)]
pub enum Next {
    /// The node below.
    #[next_node("min-ttl-low")]
    Low,
}

/// Where `min-ttl-low` sends packets.
#[derive(NextNodes)]
pub enum LowNext {
    /// Routing, at the end of the arc.
    #[next_node("ip4-lookup")]
    Lookup,
}

/// Looks at the TTL of each packet. Few are low, so this stays small.
#[vlib_node(name = "min-ttl", next = Next, errors = Error, trace = Seen)]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn min_ttl(node: &mut NodeContext<min_ttl>, packet: &mut Packet) -> Verdict<min_ttl> {
    let Some(ip) = packet.header::<Ipv4Header>() else {
        return Verdict::Drop(Error::Short);
    };
    node.trace(packet, || Seen { source: ip.source(), destination: ip.destination(), ttl: ip.ttl });
    if ip.ttl < LIMIT { Verdict::Next(Next::Low) } else { Verdict::NextFeature }
}

/// Decides about the packets that `min-ttl` found low.
#[vlib_node(name = "min-ttl-low", next = LowNext, errors = LowError, trace = Seen)]
pub fn min_ttl_low(node: &mut NodeContext<min_ttl_low>, packet: &mut Packet) -> Result<LowNext, LowError> {
    let ip = packet.header::<Ipv4Header>().ok_or(LowError::Short)?;
    node.trace(packet, || Seen { source: ip.source(), destination: ip.destination(), ttl: ip.ttl });
    if ip.protocol != IpProtocol::TCP {
        return Err(LowError::LowTtl);
    }
    let tcp = packet.header_at::<TcpHeader>(ip.header_len()).ok_or(LowError::Short)?;
    if tcp.source_port != BGP && tcp.destination_port != BGP {
        return Err(LowError::LowTtl);
    }
    node.count(LowError::Bgp, 1);
    Ok(LowNext::Lookup)
}
