//! Marks UDP packets with the DSCP of voice, and traces who sent them.

// ANCHOR: plugin
use vppkit::Unwritable;
use vppkit::header::MacAddress;
use vppkit::prelude::*;

/// Called once, when VPP has loaded the plugin.
#[vlib_plugin(description = "Mark voice packets")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// Expedited forwarding.
const VOICE: u8 = 46;

/// What is counted.
#[derive(NodeErrors)]
pub enum Error {
    /// packets marked
    #[error(severity = info)]
    Marked,
    /// packets not marked, because others share their buffer
    #[error(severity = warn)]
    Shared,
    /// packets too short for an IPv4 header
    Short,
}

/// What `show trace` prints.
#[derive(Trace, Clone, Copy)]
#[trace("from {sender}")]
pub struct Seen {
    sender: MacAddress,
}

/// Marks UDP.
#[vlib_node(name = "mark-dscp", errors = Error, trace = Seen)]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn mark_dscp(
    node: &mut NodeContext<mark_dscp>,
    packet: &mut Packet,
) -> Result<Verdict<mark_dscp>, Error> {
    let ip = packet.header::<Ipv4Header>().ok_or(Error::Short)?;
    if ip.protocol == IpProtocol::UDP {
        match mark(packet, VOICE) {
            Ok(()) => node.count(Error::Marked, 1),
            Err(Unwritable::Shared) => node.count(Error::Shared, 1),
            Err(Unwritable::Short) => return Err(Error::Short),
        }
    }
    if let Some(sender) = sender(packet) {
        node.trace(packet, || Seen { sender });
    }
    Ok(Verdict::NextFeature)
}
// ANCHOR_END: plugin

// ANCHOR: mark
/// Marks a packet with a DSCP, and keeps the header's checksum right.
fn mark(packet: &mut Packet, dscp: u8) -> Result<(), Unwritable> {
    let ip = packet.header_mut::<Ipv4Header>()?;
    let old = u32::from(ip.tos);
    ip.tos = dscp << 2 | ip.tos & 0b11;
    // RFC 1624: HC' = ~(~HC + ~m + m').
    let sum = u32::from(!ip.checksum.get()) + (!old & 0xffff) + u32::from(ip.tos);
    let sum = (sum & 0xffff) + (sum >> 16);
    ip.checksum = U16Be::new(!((sum & 0xffff) + (sum >> 16)) as u16);
    Ok(())
}
// ANCHOR_END: mark

// ANCHOR: sender
/// Who sent the frame, from a node that sees the packet from its IP header.
fn sender(packet: &mut Packet) -> Option<MacAddress> {
    let back = usize::try_from(-packet.l2_header_offset()?).ok()?;
    packet.push(back).ok()?;
    let sender = packet.header::<EthernetHeader>().map(|ethernet| ethernet.source);
    packet.pull(back).ok()?;
    sender
}
// ANCHOR_END: sender
