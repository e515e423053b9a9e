//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Cargo calls `cargo-vpp vpp ...`.
#[derive(Debug, Parser)]
#[command(name = "cargo", bin_name = "cargo", disable_help_subcommand = true)]
pub(crate) enum Cargo {
    /// Build and run VPP plugins written with vppkit
    Vpp(Vpp),
}

#[derive(Debug, Args)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Vpp {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a plugin and run it on a capture, in the embedded host or in a real VPP
    Run(Run),
    /// Say what a plugin holds: nodes, features, counters, instruction sets, imports, and the releases that take it
    Inspect(Inspect),
    /// Say what this machine lacks to build and run plugins, and what mends it
    Doctor(Doctor),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo vpp inspect .
  cargo vpp inspect target/release/libmy_plugin.so --json

Exit codes:
  0  at least one release takes the plugin
  1  none does, or the file is no plugin
  2  the command line makes no sense")]
pub(crate) struct Inspect {
    /// The plugin: a package's folder, which is built first, or a built .so file
    #[arg(default_value = ".")]
    pub(crate) plugin: PathBuf,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Build the plugin without optimizations
    #[arg(long)]
    pub(crate) debug: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo vpp run . --pcap captures/ping.pcap
  cargo vpp run . --pcap traffic.pcapng --out passed.pcap --trace 10
  cargo vpp run target/release/libmy_plugin.so --pcap ping.pcap --vpp 25.10 --json
  cargo vpp run . --pcap captures/ping.pcap --vpp-prefix /usr
  cargo vpp run . --pcap traffic.pcap --vpp-prefix /opt/vpp --workers 2 --out passed.pcap

In a real VPP:
  The VPP runs for this command only, in a folder of its own, and is stopped at its end.
  Packets come in at the interface pg0. Frames for one host get the Ethernet address of pg0.
  All routes lead to one neighbour on pg0. --out has what VPP sends there, rewritten as a router rewrites it.

Exit codes:
  0    every packet is accounted for; in a real VPP: all were sent and VPP still answers
  1    the plugin could not be built, loaded or run, or it broke a rule
  2    the command line makes no sense
  130  it was interrupted")]
pub(crate) struct Run {
    /// The plugin: a package's folder, which is built first, or a built .so file
    #[arg(default_value = ".")]
    pub(crate) plugin: PathBuf,

    /// Another plugin to load; may be given several times
    #[arg(long = "with", value_name = "PLUGIN")]
    pub(crate) others: Vec<PathBuf>,

    /// The capture whose packets come in, pcap or pcapng with Ethernet frames; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) pcap: Vec<PathBuf>,

    /// Write the packets that came through to this pcap file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// The release of VPP to imitate
    #[arg(long, value_name = "RELEASE", value_enum, default_value_t = Release::V26_06)]
    pub(crate) vpp: Release,

    /// Run in the real VPP that is installed under this folder, as PREFIX/bin/vpp
    #[arg(long, value_name = "PREFIX", conflicts_with = "vpp")]
    pub(crate) vpp_prefix: Option<PathBuf>,

    /// Workers of the real VPP beside its main thread; packets are spread over them by flow
    #[arg(long, value_name = "N", default_value_t = 0, requires = "vpp_prefix", value_parser = clap::value_parser!(u16).range(0..=64))]
    pub(crate) workers: u16,

    /// Trace this many packets and print the traces
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) trace: u32,

    /// Enable only these features, instead of all that the plugins register; may be given several times
    #[arg(long = "feature", value_name = "ARC:NODE", value_parser = feature)]
    pub(crate) features: Vec<(String, String)>,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Build the plugin without optimizations
    #[arg(long)]
    pub(crate) debug: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo vpp doctor
  cargo vpp doctor --vpp-prefix /opt/vpp
  VPP_PREFIX=/opt/vpp-25.10:/opt/vpp-26.06 cargo vpp doctor --json

Exit codes:
  0  everything is there to build plugins and to run them in the embedded host
  1  something for that is missing
  2  the command line makes no sense")]
pub(crate) struct Doctor {
    /// Look for a VPP under this folder, beside VPP_PREFIX, /usr and /usr/local; may be given several times
    #[arg(long, value_name = "PREFIX")]
    pub(crate) vpp_prefix: Vec<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Release {
    #[value(name = "25.10")]
    V25_10,
    #[value(name = "26.02")]
    V26_02,
    #[value(name = "26.06")]
    V26_06,
}

impl Release {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Release::V25_10 => "25.10",
            Release::V26_02 => "26.02",
            Release::V26_06 => "26.06",
        }
    }
}

fn feature(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((arc, node)) if !arc.is_empty() && !node.is_empty() => Ok((arc.to_owned(), node.to_owned())),
        _ => Err("write ARC:NODE, like ip4-unicast:drop-icmp".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cargo::command().debug_assert();
    }

    #[test]
    fn releases_are_those_of_the_abi() {
        let names: Vec<_> = Release::value_variants().iter().map(|r| r.name()).collect();
        assert_eq!(names, vppkit_host::Release::all().map(|release| release.name()).collect::<Vec<_>>());
    }
}
