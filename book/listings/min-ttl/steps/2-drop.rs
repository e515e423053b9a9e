// ANCHOR: all
//! A plugin that drops IPv4 packets that have too few hops left.

use vppkit::prelude::*;

/// Called once, when VPP has loaded the plugin.
#[vlib_plugin(description = "Drop IPv4 packets with a low TTL")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

// ANCHOR: drop
/// Packets with fewer hops left are not welcome.
const LIMIT: u8 = 5;

/// Why a packet was dropped.
#[derive(NodeErrors)]
pub enum Error {
    /// packets with too few hops left
    LowTtl,
    /// packets too short for an IPv4 header
    Short,
}

/// Drops packets with a low TTL.
#[vlib_node(name = "min-ttl", errors = Error)]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn min_ttl(_node: &mut NodeContext<min_ttl>, packet: &mut Packet) -> Verdict<min_ttl> {
    let Some(ip) = packet.header::<Ipv4Header>() else {
        return Verdict::Drop(Error::Short);
    };
    if ip.ttl < LIMIT { Verdict::Drop(Error::LowTtl) } else { Verdict::NextFeature }
}
// ANCHOR_END: drop
// ANCHOR_END: all
