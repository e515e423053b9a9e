//! The same packets through a real VPP and through the embedded host, and what to compare.

use std::path::Path;

use anyhow::{Context as _, Result};
use vppkit_driver::replay::readdress;
use vppkit_driver::{Source, Stream, Vpp, show};
use vppkit_host::{Host, Packets, PcapWriter, Release};

use crate::plugins::captures;
use crate::ready::MAC;

/// What `drop-icmp` did with the packets of a capture.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Packets that it got.
    pub handled: u64,
    /// Packets that went on along the arc to its end.
    pub passed: u64,
    /// Its lines of `show errors`: reason and count.
    pub errors: Vec<(String, u64)>,
    /// Its trace records, packet by packet.
    pub traces: Vec<String>,
}

/// More than a capture has.
const TRACES: u32 = 1000;

/// A capture in the embedded host.
///
/// # Errors
/// If the run fails.
pub fn in_host(release: &str, plugin: &Path, capture: &str) -> Result<Outcome> {
    let report = Host::new()
        .vpp(Release::find(release)?)
        .plugin(plugin)
        .trace(TRACES)
        .inject(Packets::from_pcap(captures().join(capture))?)
        .run()?;
    let node = report.node("drop-icmp").context("the node is there")?;
    Ok(Outcome {
        handled: node.vectors,
        passed: report.sink("ip4-lookup").len() as u64,
        errors: show::errors(&report.show_errors())
            .into_iter()
            .filter(|line| line.node == "drop-icmp")
            .map(|line| (line.reason, line.count))
            .collect(),
        traces: show::trace_records(&report.show_trace(), "drop-icmp"),
    })
}

/// A capture in a running VPP, whose feature is enabled.
///
/// # Errors
/// If VPP does not do what it is told.
pub fn in_vpp(vpp: &Vpp, capture: &str) -> Result<Outcome> {
    let file = vpp.folder().join("replay.pcap");
    let packets = readdressed(&captures().join(capture), &file)?;
    for command in ["clear errors", "clear runtime", "clear trace", &format!("trace add pg-input {TRACES}")] {
        vpp.cli(command)?;
    }
    let stream =
        Stream { name: "replay", source: Source::Pcap(&file), packets, node: "ethernet-input", worker: 0 };
    vpp.add_stream(&stream)?;
    vpp.run_streams()?;
    vpp.remove_stream("replay")?;
    let runtime = show::runtime(&vpp.cli("show runtime")?);
    let vectors = |node: &str| runtime.get(node).map_or(0, |node| node.vectors);
    Ok(Outcome {
        handled: vectors("drop-icmp"),
        passed: vectors("ip4-lookup"),
        errors: show::errors(&vpp.cli("show errors")?)
            .into_iter()
            .filter(|line| line.node == "drop-icmp")
            .map(|line| (line.reason, line.count))
            .collect(),
        traces: show::trace_records(&vpp.cli(&format!("show trace max {TRACES}"))?, "drop-icmp"),
    })
}

/// Copies a capture so that every unicast frame is for the interface: a real VPP drops what is for others.
fn readdressed(capture: &Path, to: &Path) -> Result<u64> {
    let mut writer = PcapWriter::create(to)?;
    for packet in Packets::from_pcap(capture)? {
        let packet = packet?;
        let mut bytes = packet.bytes().to_vec();
        readdress(&mut bytes, MAC);
        writer.write_bytes(packet.time(), &bytes)?;
    }
    writer.flush()?;
    Ok(writer.count())
}
