//! Nodes around `drop-icmp` on its arc: one in front of it, one behind it, and one that panics.

use vppkit::prelude::*;

/// Nothing to prepare. For every release that vppkit knows, the development line too.
#[vlib_plugin(releases = ["25.10", "26.02", "26.06", "26.10-rc0"])]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// What the nodes count.
#[derive(NodeErrors)]
pub enum Count {
    /// packets seen
    #[error(severity = info)]
    Seen,
}

/// Sees every packet before `drop-icmp` does.
#[vlib_node(name = "probe-first", errors = Count)]
#[vnet_feature(arc = "ip4-unicast", before = ["drop-icmp"])]
pub fn probe_first(node: &mut NodeContext<probe_first>, _packet: &mut Packet) -> Verdict<probe_first> {
    node.count(Count::Seen, 1);
    Verdict::NextFeature
}

/// Sees what `drop-icmp` lets pass.
#[vlib_node(name = "probe-last", errors = Count)]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"], after = ["drop-icmp"])]
pub fn probe_last(node: &mut NodeContext<probe_last>, _packet: &mut Packet) -> Verdict<probe_last> {
    node.count(Count::Seen, 1);
    Verdict::NextFeature
}

/// Time to live of packets that the node below is not prepared for.
const UNEXPECTED_TTL: u8 = 77;

/// Panics at some packets.
#[vlib_node(name = "probe-panics")]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn probe_panics(_node: &mut NodeContext<probe_panics>, packet: &mut Packet) -> Verdict<probe_panics> {
    let ttl = packet.header::<Ipv4Header>().map(|ip| ip.ttl);
    assert!(ttl != Some(UNEXPECTED_TTL), "a packet that the author did not think of");
    Verdict::NextFeature
}
