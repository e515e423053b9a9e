//! Packets to put into the graph: from captures, from memory, or made up.

use std::fmt;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use crate::error::CaptureError;
use crate::nodes::ip4_input::sum;
use crate::pcap::Reader;

/// One packet of an input.
#[derive(Clone, Debug)]
pub struct RawPacket {
    pub(crate) bytes: Vec<u8>,
    /// How long it was on the wire.
    pub(crate) original_length: usize,
    pub(crate) time: Duration,
}

impl RawPacket {
    /// Its bytes from the Ethernet header, as far as they were captured.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How long it was on the wire.
    pub fn original_length(&self) -> usize {
        self.original_length
    }

    /// When it was captured.
    pub fn time(&self) -> Duration {
        self.time
    }

    fn new(bytes: Vec<u8>) -> Self {
        Self { original_length: bytes.len(), bytes, time: Duration::ZERO }
    }
}

/// Where packets come from.
pub(crate) trait Source {
    /// The next packet.
    fn next(&mut self) -> Result<Option<RawPacket>, CaptureError>;
    /// Bytes read, and in all if known.
    fn progress(&self) -> (u64, Option<u64>);
}

/// Packets for [`Host::inject`](crate::Host::inject). They are read as the graph takes them.
pub struct Packets {
    pub(crate) source: Box<dyn Source>,
    pub(crate) past_ethernet: bool,
}

impl fmt::Debug for Packets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packets").field("past_ethernet", &self.past_ethernet).finish_non_exhaustive()
    }
}

impl Packets {
    /// The packets of a pcap or pcapng file. Only its beginning is read here.
    pub fn from_pcap(path: impl AsRef<Path>) -> Result<Self, CaptureError> {
        Ok(Self { source: Box::new(Reader::open(path.as_ref())?), past_ethernet: false })
    }

    /// Packets in memory, each from its Ethernet header.
    pub fn from_bytes<I>(packets: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<Vec<u8>>,
        I::IntoIter: 'static,
    {
        Self { source: Box::new(Memory { packets: packets.into_iter(), given: 0 }), past_ethernet: false }
    }

    /// UDP packets over IPv4, all alike but for the fields that `stream` varies.
    pub fn udp(stream: UdpStream) -> Self {
        Self::from_bytes((0..stream.count).map(move |i| stream.packet(i)))
    }

    /// Reads all packets into memory and gives them again and again, `total` in all. For benchmarks.
    pub fn repeated(self, total: u64) -> Result<Self, CaptureError> {
        let past_ethernet = self.past_ethernet;
        let packets = self.collect::<Result<Vec<_>, _>>()?;
        let source = Box::new(Repeated { packets, given: 0, total });
        Ok(Self { source, past_ethernet })
    }

    /// Gives nodes a packet from behind its Ethernet header and tags, as `ethernet-input` does. For
    /// [`Host::inject_at`](crate::Host::inject_at) with nodes that expect an IP header.
    pub fn past_ethernet(mut self) -> Self {
        self.past_ethernet = true;
        self
    }
}

/// To look at the packets instead of putting them into a graph. After an error there are none.
impl Iterator for Packets {
    type Item = Result<RawPacket, CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.source.next().transpose()
    }
}

struct Memory<I> {
    packets: I,
    given: u64,
}

impl<I> Source for Memory<I>
where
    I: Iterator,
    I::Item: Into<Vec<u8>>,
{
    fn next(&mut self) -> Result<Option<RawPacket>, CaptureError> {
        let Some(packet) = self.packets.next() else { return Ok(None) };
        let packet = RawPacket::new(packet.into());
        self.given += packet.bytes.len() as u64;
        Ok(Some(packet))
    }

    fn progress(&self) -> (u64, Option<u64>) {
        (self.given, None)
    }
}

struct Repeated {
    packets: Vec<RawPacket>,
    given: u64,
    total: u64,
}

impl Source for Repeated {
    fn next(&mut self) -> Result<Option<RawPacket>, CaptureError> {
        if self.given >= self.total || self.packets.is_empty() {
            return Ok(None);
        }
        let packet = self.packets[(self.given % self.packets.len() as u64) as usize].clone();
        self.given += 1;
        Ok(Some(packet))
    }

    fn progress(&self) -> (u64, Option<u64>) {
        (self.given, Some(self.total))
    }
}

/// A stream of made-up UDP packets.
#[derive(Clone, Debug)]
pub struct UdpStream {
    /// How many packets.
    pub count: usize,
    /// Length of each from the Ethernet header on; at least 42 bytes are used.
    pub length: usize,
    /// Source address of the first packet.
    pub source: Ipv4Addr,
    /// Destination address of the first packet.
    pub destination: Ipv4Addr,
    /// Source and destination port.
    pub ports: (u16, u16),
    /// How many source addresses, counted up from the first, the packets take turns with.
    pub sources: u32,
    /// How many destination addresses the packets take turns with.
    pub destinations: u32,
}

impl Default for UdpStream {
    fn default() -> Self {
        Self {
            count: 256,
            length: 64,
            source: Ipv4Addr::new(10, 0, 0, 1),
            destination: Ipv4Addr::new(10, 1, 0, 1),
            ports: (1234, 4321),
            sources: 1,
            destinations: 1,
        }
    }
}

impl UdpStream {
    fn packet(&self, i: usize) -> Vec<u8> {
        const HEADERS: usize = 14 + 20 + 8;
        let length = self.length.clamp(HEADERS, 65535);
        let mut p = vec![0; length];
        p[..6].copy_from_slice(&[2, 0xfe, 0, 0, 0, 2]);
        p[6..12].copy_from_slice(&[2, 0xfe, 0, 0, 0, 1]);
        p[12..14].copy_from_slice(&[8, 0]);
        let ip = &mut p[14..34];
        ip[0] = 0x45;
        ip[2..4].copy_from_slice(&((length - 14) as u16).to_be_bytes());
        ip[4..6].copy_from_slice(&(i as u16).to_be_bytes());
        (ip[8], ip[9]) = (64, 17);
        let address = |first: Ipv4Addr, n: u32| {
            u32::from(first).wrapping_add((i % n.max(1) as usize) as u32).to_be_bytes()
        };
        ip[12..16].copy_from_slice(&address(self.source, self.sources));
        ip[16..20].copy_from_slice(&address(self.destination, self.destinations));
        let checksum = !sum(ip);
        ip[10..12].copy_from_slice(&checksum.to_be_bytes());
        let udp = &mut p[34..];
        udp[..2].copy_from_slice(&self.ports.0.to_be_bytes());
        udp[2..4].copy_from_slice(&self.ports.1.to_be_bytes());
        udp[4..6].copy_from_slice(&((length - 34) as u16).to_be_bytes());
        p
    }
}
