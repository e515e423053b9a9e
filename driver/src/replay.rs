//! Captures as VPP's packet generator plays them.
//!
//! A real VPP drops unicast frames that are not for its interface, so copies are made that are.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use vppkit_host::{CaptureError, PcapWriter, RawPacket};

use crate::cli::CliError;
use crate::generator::{Source, Stream};
use crate::process::Vpp;

/// Makes a unicast frame one for the interface with this address.
pub fn readdress(frame: &mut [u8], mac: [u8; 6]) {
    if let Some(destination) = frame.first_chunk_mut::<6>()
        && destination[0] & 1 == 0
    {
        *destination = mac;
    }
}

/// Why the copies could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A copy cannot be written.
    #[error("{}: {why}", .path.display())]
    Write {
        /// Its file.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// VPP does not take them.
    #[error(transparent)]
    Cli(#[from] CliError),
}

/// Copies of captures in a VPP's folder, one for each worker. All packets of a flow are in one of them.
#[derive(Debug, Default)]
pub struct Replay {
    parts: Vec<(PathBuf, u64)>,
    /// How many packets there are.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How many of them the captures have only a part of.
    pub cut: u64,
    /// What ended the captures early. The packets before it are there.
    pub error: Option<CaptureError>,
}

impl Replay {
    /// Copies packets, so that unicast frames are for the interface with the address `mac`.
    ///
    /// # Errors
    /// If a copy cannot be written, or the VPP's flag of [`Config::cancel`](crate::Config::cancel) was set.
    pub fn new(
        vpp: &Vpp,
        packets: impl IntoIterator<Item = Result<RawPacket, CaptureError>>,
        mac: [u8; 6],
        workers: u16,
    ) -> Result<Self, ReplayError> {
        let mut replay = Self::default();
        let mut parts = (0..workers.max(1))
            .map(|worker| Part::create(vpp.folder().join(format!("replay{worker}.pcap"))))
            .collect::<Result<Vec<_>, _>>()?;
        let mut frame = Vec::new();
        for packet in packets {
            if vpp.is_cancelled() {
                return Err(CliError::Interrupted.into());
            }
            let packet = match packet {
                Ok(packet) => packet,
                Err(error) => {
                    replay.error = Some(error);
                    break;
                }
            };
            frame.clear();
            frame.extend_from_slice(packet.bytes());
            readdress(&mut frame, mac);
            let part = flow(&frame) as usize % parts.len();
            let Part { path, writer } = &mut parts[part];
            writer.write_bytes(packet.time(), &frame).map_err(|why| write_error(path, why))?;
            replay.packets += 1;
            replay.bytes += frame.len() as u64;
            replay.cut += u64::from(packet.original_length() > frame.len());
        }
        for Part { path, mut writer } in parts {
            writer.flush().map_err(|why| write_error(&path, why))?;
            replay.parts.push((path, writer.count()));
        }
        Ok(replay)
    }

    /// Sends them into `ethernet-input`, as fast as VPP takes them, and waits until they are sent.
    ///
    /// # Errors
    /// If VPP refuses them or does not answer.
    pub fn run(&self, vpp: &Vpp) -> Result<(), ReplayError> {
        // A stream of no packets would never end.
        let parts = self.parts.iter().enumerate().filter(|(_, (_, packets))| *packets > 0);
        let names: Vec<_> = parts.clone().map(|(worker, _)| format!("replay{worker}")).collect();
        for (name, (worker, (file, packets))) in names.iter().zip(parts) {
            let (source, packets, worker) = (Source::Pcap(file), *packets, worker as u16);
            vpp.add_stream(&Stream { name, source, packets, node: "ethernet-input", worker })?;
        }
        if !names.is_empty() {
            vpp.run_streams()?;
        }
        Ok(names.iter().try_for_each(|name| vpp.remove_stream(name))?)
    }
}

struct Part {
    path: PathBuf,
    writer: PcapWriter<BufWriter<File>>,
}

impl Part {
    fn create(path: PathBuf) -> Result<Self, ReplayError> {
        let file = File::create(&path).map_err(|why| write_error(&path, why))?;
        let writer = PcapWriter::new(BufWriter::new(file)).map_err(|why| write_error(&path, why))?;
        Ok(Self { path, writer })
    }
}

fn write_error(path: &Path, why: io::Error) -> ReplayError {
    ReplayError::Write { path: path.to_owned(), why }
}

/// A number that the packets of a flow have in common, in both directions: from addresses and ports, as network cards
/// spread packets over queues.
fn flow(frame: &[u8]) -> u32 {
    const FRAGMENT: u16 = 0x3fff;
    const WITH_PORTS: [u8; 3] = [6, 17, 132];
    let mut at = 12;
    while matches!(word(frame, at), Some(0x8100 | 0x88a8)) {
        at += 4;
    }
    let ip = at + 2;
    let (addresses, length, ports) = match word(frame, at) {
        Some(0x0800) => {
            let header = frame.get(ip).map_or(0, |byte| usize::from(byte & 0x0f) * 4);
            let whole = word(frame, ip + 6).is_some_and(|fragment| fragment & FRAGMENT == 0);
            (ip + 12, 8, (whole && has(frame, ip + 9, &WITH_PORTS)).then_some(ip + header))
        }
        Some(0x86dd) => (ip + 8, 32, has(frame, ip + 6, &WITH_PORTS).then_some(ip + 40)),
        _ => return 0,
    };
    // Sums do not depend on the direction.
    let words = (addresses..addresses + length).step_by(2);
    let words = words.chain(ports.into_iter().flat_map(|at| [at, at + 2]));
    let sum = words.filter_map(|at| word(frame, at)).fold(0_u32, |sum, word| sum.wrapping_add(word.into()));
    // Fibonacci hashing: neighbouring sums end up apart.
    sum.wrapping_mul(0x9e37_79b9) >> 16
}

fn word(frame: &[u8], at: usize) -> Option<u16> {
    frame.get(at..)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))
}

fn has(frame: &[u8], at: usize, values: &[u8]) -> bool {
    frame.get(at).is_some_and(|value| values.contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unicast_frames_are_readdressed() {
        let mac = [2, 0, 0, 0, 0, 1];
        for (first, expected) in [(0x00, mac), (0x02, mac), (0x01, [1; 6]), (0xff, [0xff; 6])] {
            let mut frame = [first; 14];
            readdress(&mut frame, mac);
            assert_eq!(frame[..6], expected[..]);
            assert_eq!(frame[6..], [first; 8]);
        }
        let mut short = [0; 5];
        readdress(&mut short, mac);
        assert_eq!(short, [0; 5]);
    }

    fn udp(source: u8, destination: u8, ports: (u16, u16), tagged: bool) -> Vec<u8> {
        let mut frame = vec![0; 12];
        if tagged {
            frame.extend([0x81, 0, 0, 7]);
        }
        frame.extend([
            8,
            0,
            0x45,
            0,
            0,
            28,
            0,
            0,
            0,
            0,
            64,
            17,
            0,
            0,
            10,
            0,
            0,
            source,
            10,
            0,
            0,
            destination,
        ]);
        frame.extend(ports.0.to_be_bytes());
        frame.extend(ports.1.to_be_bytes());
        frame
    }

    #[test]
    fn a_flow_has_one_number_in_both_directions() {
        let one = flow(&udp(1, 2, (1000, 53), false));
        assert_eq!(one, flow(&udp(2, 1, (53, 1000), false)));
        assert_eq!(one, flow(&udp(1, 2, (1000, 53), true)));
        assert_ne!(one, flow(&udp(1, 2, (1001, 53), false)));
        let numbers: std::collections::HashSet<_> =
            (0..100).map(|port| flow(&udp(1, 2, (port, 53), false)) % 2).collect();
        assert_eq!(numbers.len(), 2, "flows are spread");
        for length in 0..34 {
            flow(&udp(1, 2, (1, 2), false)[..length]);
        }
    }
}
