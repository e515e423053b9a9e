//! An embedded graph host: runs VPP plugins with no VPP.
//!
//! It loads the same `.so` that VPP loads, through the same section, constructors and symbols, with the memory
//! layout of the release that it imitates, and runs packets through the graph by VPP's rules: frames of 256
//! buffers, frame ownership, pending frames, feature arcs, error counters, tracing. A next node that it does
//! not have becomes a sink whose packets a test can look at. It is a sanitizer too: what VPP leaves to
//! discipline is checked, and the node that broke a rule is named.
//!
//! ```no_run
//! use vppkit_host::{Host, Packets, built_plugin};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let report = Host::new()
//!     .plugin(built_plugin("drop_icmp")?)
//!     .inject(Packets::from_pcap("captures/ping.pcap")?)
//!     .run()?;
//! assert_eq!(report.error("drop-icmp", "icmp"), 4);
//! assert!(report.sink("ip4-lookup").is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # What is imitated
//! One interface, `pg0`, with index 1, which takes every frame. `pg-input`, `ethernet-input`, `llc-input`,
//! `ip4-input`, `ip6-input` and the drop nodes do what VPP's do. Lookups and all that follows are sinks. Nodes
//! run on one thread. The host is for trying and testing plugins and never replaces VPP.
//!
//! # Where it runs
//! On Linux on x86-64, for now. On aarch64 VPP has cache lines of 128 bytes by default, which changes its structures,
//! and their layouts are not there yet.
//!
//! # One at a time
//! VPP's state is one per process, and so is the host's: [`Host::run`] waits until no other thread runs one.

#![deny(missing_docs)]

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "vppkit-host runs on Linux on x86-64 only for now; VPP on aarch64 has cache lines of 128 bytes by default, and the layouts for them are not there yet"
);

mod buffers;
mod clock;
mod counters;
mod dispatch;
mod elf;
mod error;
mod exports;
mod features;
mod frames;
mod graph;
mod host;
mod init;
mod loader;
mod log;
mod march;
mod nodes;
mod order;
mod packets;
mod pcap;
mod report;
mod sanitize;
mod session;
mod show;
mod state;
mod suggest;
mod trace;
mod vec;
mod vm;

pub use elf::{PluginFile, is_in_every_release};
pub use error::{CaptureError, GraphError, HostError, PluginError};
pub use host::{Host, Release, Sanitizer, built_plugin, releases};
pub use log::LogLine;
pub use nodes::sink::Packet;
pub use packets::{Packets, RawPacket, UdpStream};
pub use pcap::PcapWriter;
pub use report::{Ended, ErrorCount, NextCount, NodeStats, PluginFeature, Report, Sink, Summary, Variant};
pub use sanitize::{Violation, ViolationKind};
pub use trace::{Trace, TraceRecord};
