//! Captures: pcap and pcapng files, read packet by packet; and pcap files written as packets come.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pcap_parser::pcapng::Block;
use pcap_parser::traits::{PcapNGPacketBlock as _, PcapReaderIterator};
use pcap_parser::{Linktype, PcapBlockOwned, PcapError};

use crate::error::CaptureError;
use crate::nodes::sink::Packet;
use crate::packets::{RawPacket, Source};

/// Bytes read at once.
const CHUNK: usize = 1 << 18;
/// A packet or block that claims to be longer is damage.
const MAX_BLOCK: usize = 1 << 26;

/// Reads one file.
pub(crate) struct Reader {
    path: PathBuf,
    total: u64,
    reader: Box<dyn PcapReaderIterator>,
    room: usize,
    /// Nanoseconds rather than microseconds, in a pcap file.
    nanoseconds: bool,
    /// Of a pcapng section, or the one of a pcap file.
    interfaces: Vec<Interface>,
    /// The number of the packet that is read, from 1.
    packet: u64,
    /// Nothing can be read after an error.
    failed: bool,
}

#[derive(Clone, Copy)]
struct Interface {
    link: Linktype,
    /// Ticks in a second, and seconds to add.
    resolution: u64,
    offset: i64,
}

impl Reader {
    /// Opens a file and reads up to what says that its packets are Ethernet frames.
    pub(crate) fn open(path: &Path) -> Result<Self, CaptureError> {
        let io = |error| CaptureError::Io { path: path.into(), error };
        let mut file = File::open(path).map_err(io)?;
        let metadata = file.metadata().map_err(io)?;
        if metadata.is_dir() {
            return Err(io(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let not = |why: String| CaptureError::NotACapture { path: path.into(), why };

        // Enough of the beginning for the parsers to recognise it, whatever the first read gives.
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(CHUNK as u64 / 2).read_to_end(&mut start).map_err(io)?;
        if start.is_empty() {
            return Err(not("the file is empty".into()));
        }
        let magic = start.get(..4).map(|m| [m[0], m[1], m[2], m[3]]);
        let is_known = matches!(
            magic,
            Some(
                [0xd4, 0xc3, 0xb2, 0xa1]
                    | [0xa1, 0xb2, 0xc3, 0xd4]
                    | [0x4d, 0x3c, 0xb2, 0xa1]
                    | [0xa1, 0xb2, 0x3c, 0x4d]
                    | [0x34, 0xcd, 0xb2, 0xa1]
                    | [0x0a, 0x0d, 0x0d, 0x0a]
            )
        );
        if !is_known {
            return Err(not(format!(
                "it starts with {}, neither pcap nor pcapng",
                start.iter().take(4).map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ")
            )));
        }
        let whole = io::Cursor::new(start).chain(file);
        let reader = pcap_parser::create_reader(CHUNK, whole).map_err(|error| match error {
            PcapError::Incomplete(_) | PcapError::UnexpectedEof | PcapError::Eof => {
                not("the file ends within its header".into())
            }
            _ => not("its header is damaged".into()),
        })?;
        let mut this = Self {
            path: path.into(),
            total: metadata.len(),
            reader,
            room: CHUNK,
            nanoseconds: false,
            interfaces: Vec::new(),
            packet: 1,
            failed: false,
        };
        // A pcap file says its link type at once; a pcapng file may say it anywhere before the packets.
        if magic != Some([0x0a, 0x0d, 0x0d, 0x0a]) {
            this.read_header()?;
        }
        Ok(this)
    }

    fn read_header(&mut self) -> Result<(), CaptureError> {
        let link = match self.reader.next() {
            Ok((offset, PcapBlockOwned::LegacyHeader(header))) => {
                self.nanoseconds = header.is_nanosecond_precision();
                let link = header.network;
                self.reader.consume(offset);
                // The upper bits of the field say how long a frame check sequence is.
                Linktype(link.0 & 0xffff)
            }
            _ => {
                return Err(CaptureError::NotACapture {
                    path: self.path.clone(),
                    why: "its header is damaged".into(),
                });
            }
        };
        self.check_link(link)?;
        self.interfaces.push(Interface { link, resolution: 1_000_000, offset: 0 });
        Ok(())
    }

    fn check_link(&self, link: Linktype) -> Result<(), CaptureError> {
        if link == Linktype::ETHERNET {
            return Ok(());
        }
        Err(CaptureError::LinkType { path: self.path.clone(), link_type: link_name(link) })
    }

    fn damaged(&self, why: impl Into<String>) -> CaptureError {
        CaptureError::Damaged {
            path: self.path.clone(),
            offset: self.reader.consumed() as u64,
            packet: self.packet,
            why: why.into(),
        }
    }

    fn truncated(&self) -> CaptureError {
        CaptureError::Truncated {
            path: self.path.clone(),
            offset: self.reader.consumed() as u64,
            packet: self.packet,
        }
    }

    /// Reads on after the parser asked for more.
    fn refill(&mut self) -> Result<(), CaptureError> {
        self.reader.refill().map_err(|_| CaptureError::Io {
            path: self.path.clone(),
            error: io::Error::other("reading failed"),
        })
    }

    fn read(&mut self) -> Result<Option<RawPacket>, CaptureError> {
        loop {
            let found = match self.reader.next() {
                Ok((offset, block)) => Ok((offset, take(&block, &mut self.interfaces, self.nanoseconds))),
                Err(PcapError::Eof) => return Ok(None),
                Err(PcapError::UnexpectedEof) => {
                    // The parser also says so when the file ends exactly behind a packet.
                    if self.reader.data().is_empty() {
                        return Ok(None);
                    }
                    return Err(self.truncated());
                }
                Err(PcapError::Incomplete(_)) => Err(false),
                Err(PcapError::BufferTooSmall) => Err(true),
                Err(PcapError::ReadError) => {
                    return Err(CaptureError::Io {
                        path: self.path.clone(),
                        error: io::Error::other("reading failed"),
                    });
                }
                Err(_) => return Err(self.damaged("a record does not follow the format")),
            };
            match found {
                Err(grow) => {
                    if grow {
                        if let Some(length) = self.claimed_length()
                            && length > MAX_BLOCK as u64
                        {
                            return Err(self.damaged(format!("a record claims to have {length} bytes")));
                        }
                        if self.room >= MAX_BLOCK {
                            return Err(self.damaged(format!("a record is longer than {MAX_BLOCK} bytes")));
                        }
                        // Nothing more in the file: growing would not help.
                        if self.reader.reader_exhausted() {
                            return Err(self.truncated());
                        }
                        self.room *= 2;
                        self.reader.grow(self.room);
                    }
                    self.refill()?;
                }
                Ok((offset, Taken::Packet { packet, interface })) => {
                    let link = self.interfaces.get(interface as usize).map(|i| i.link);
                    let Some(link) = link else {
                        return Err(self.damaged(format!(
                            "the packet is of interface {interface}, which is not described"
                        )));
                    };
                    self.check_link(link)?;
                    self.reader.consume(offset);
                    self.packet += 1;
                    return Ok(Some(packet));
                }
                Ok((offset, Taken::Other)) => self.reader.consume(offset),
                Ok((_, Taken::Bad(why))) => return Err(self.damaged(why)),
            }
        }
    }

    /// The length that the record at hand claims, to tell a long one from damage.
    fn claimed_length(&self) -> Option<u64> {
        let data = self.reader.data();
        let word = |at: usize| data.get(at..at + 4).map(|w| [w[0], w[1], w[2], w[3]]);
        // Both byte orders: the smaller is the likely one.
        let word = if self.interfaces.is_empty() { word(4) } else { word(8).or_else(|| word(4)) }?;
        Some(u64::from(u32::from_le_bytes(word).min(u32::from_be_bytes(word))))
    }
}

enum Taken {
    Packet { packet: RawPacket, interface: u32 },
    Other,
    Bad(String),
}

/// Copies a packet out of the parser's buffer, or keeps what a block says of later packets.
fn take(block: &PcapBlockOwned<'_>, interfaces: &mut Vec<Interface>, nanoseconds: bool) -> Taken {
    match block {
        PcapBlockOwned::LegacyHeader(_) => Taken::Other,
        PcapBlockOwned::Legacy(b) => {
            let fraction = if nanoseconds { 1 } else { 1000 };
            let nanos = u64::from(b.ts_usec).saturating_mul(fraction);
            Taken::Packet {
                packet: RawPacket {
                    bytes: b.data.to_vec(),
                    original_length: b.origlen as usize,
                    time: Duration::from_secs(u64::from(b.ts_sec)) + Duration::from_nanos(nanos),
                },
                interface: 0,
            }
        }
        PcapBlockOwned::NG(Block::SectionHeader(_)) => {
            interfaces.clear();
            Taken::Other
        }
        PcapBlockOwned::NG(Block::InterfaceDescription(i)) => {
            interfaces.push(Interface {
                link: i.linktype,
                resolution: i.ts_resolution().unwrap_or(1_000_000).max(1),
                offset: i.ts_offset(),
            });
            Taken::Other
        }
        PcapBlockOwned::NG(Block::EnhancedPacket(p)) => {
            let bytes = p.packet_data();
            if bytes.len() < p.caplen as usize {
                return Taken::Bad(format!(
                    "a packet claims to have {} bytes, its block has {}",
                    p.caplen,
                    bytes.len()
                ));
            }
            let time = interfaces.get(p.if_id as usize).map_or(Duration::ZERO, |i| {
                let ticks = u64::from(p.ts_high) << 32 | u64::from(p.ts_low);
                let seconds = (ticks / i.resolution).saturating_add_signed(i.offset);
                let nanos = u128::from(ticks % i.resolution) * 1_000_000_000 / u128::from(i.resolution);
                Duration::new(seconds.min(u64::from(u32::MAX) * 4), nanos as u32)
            });
            Taken::Packet {
                packet: RawPacket { bytes: bytes.to_vec(), original_length: p.origlen as usize, time },
                interface: p.if_id,
            }
        }
        PcapBlockOwned::NG(Block::SimplePacket(p)) => Taken::Packet {
            packet: RawPacket {
                bytes: p.data[..p.data.len().min(p.origlen as usize)].to_vec(),
                original_length: p.origlen as usize,
                time: Duration::ZERO,
            },
            interface: 0,
        },
        PcapBlockOwned::NG(_) => Taken::Other,
    }
}

impl Source for Reader {
    fn next(&mut self) -> Result<Option<RawPacket>, CaptureError> {
        if self.failed {
            return Ok(None);
        }
        self.read().inspect_err(|_| self.failed = true)
    }

    fn progress(&self) -> (u64, Option<u64>) {
        (self.reader.consumed() as u64, Some(self.total))
    }
}

/// A link type's name and number, as tcpdump.org lists them.
fn link_name(link: Linktype) -> String {
    let name = match link.0 {
        0 => "NULL",
        6 => "IEEE802_5",
        7 | 129 => "ARCNET",
        8 => "SLIP",
        9 => "PPP",
        10 => "FDDI",
        50 => "PPP_HDLC",
        51 => "PPP_ETHER",
        101 => "RAW",
        104 => "C_HDLC",
        105 => "IEEE802_11",
        107 => "FRELAY",
        108 => "LOOP",
        109 => "ENC",
        113 => "LINUX_SLL",
        114 => "LTALK",
        117 => "PFLOG",
        119 => "IEEE802_11_PRISM",
        122 => "IP_OVER_FC",
        127 => "IEEE802_11_RADIOTAP",
        130..=138 | 178..=183 => "JUNIPER",
        143 => "DOCSIS",
        144 => "LINUX_IRDA",
        147..=162 => "USER",
        163 => "IEEE802_11_AVS",
        189 | 220 => "USB_LINUX",
        195 => "IEEE802_15_4_WITHFCS",
        201 => "BLUETOOTH_HCI_H4_WITH_PHDR",
        204 => "PPP_WITH_DIR",
        226 => "IPNET",
        228 => "IPV4",
        229 => "IPV6",
        230 => "IEEE802_15_4_NOFCS",
        231 => "DBUS",
        239 => "NFLOG",
        249 => "USBPCAP",
        253 => "NETLINK",
        258 => "PKTAP",
        266 => "USB_2_0",
        271 => "VSOCK",
        276 => "LINUX_SLL2",
        n => return format!("{n}"),
    };
    format!("{name} ({})", link.0)
}

/// Writes packets to a pcap file as they come. What has been written is a valid file at any time after
/// [`PcapWriter::flush`].
///
/// Times are in microseconds: VPP's packet generator reads no other files.
#[derive(Debug)]
pub struct PcapWriter<W: Write> {
    to: W,
    count: u64,
}

impl PcapWriter<BufWriter<File>> {
    /// Creates a file.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, CaptureError> {
        let io = |error| CaptureError::Io { path: path.as_ref().into(), error };
        let file = File::create(path.as_ref()).map_err(io)?;
        Self::new(BufWriter::new(file)).map_err(io)
    }
}

impl<W: Write> PcapWriter<W> {
    /// Writes a file's header.
    pub fn new(mut to: W) -> io::Result<Self> {
        let mut header = Vec::with_capacity(24);
        header.extend(0xa1b2_c3d4_u32.to_le_bytes());
        header.extend(2_u16.to_le_bytes());
        header.extend(4_u16.to_le_bytes());
        header.extend([0; 8]);
        header.extend(262_144_u32.to_le_bytes());
        header.extend(1_u32.to_le_bytes());
        to.write_all(&header)?;
        Ok(Self { to, count: 0 })
    }

    /// Appends a packet.
    pub fn write(&mut self, packet: &Packet) -> io::Result<()> {
        self.write_bytes(packet.time(), packet.bytes())
    }

    /// Appends a packet that is given by its bytes from the Ethernet header.
    pub fn write_bytes(&mut self, time: Duration, bytes: &[u8]) -> io::Result<()> {
        let length = (bytes.len() as u32).to_le_bytes();
        self.to.write_all(&(time.as_secs() as u32).to_le_bytes())?;
        self.to.write_all(&time.subsec_micros().to_le_bytes())?;
        self.to.write_all(&length)?;
        self.to.write_all(&length)?;
        self.to.write_all(bytes)?;
        self.count += 1;
        Ok(())
    }

    /// How many packets were written.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes out what is buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
