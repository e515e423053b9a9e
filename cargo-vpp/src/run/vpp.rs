//! A plugin on a capture in a real VPP, started for it.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use vppkit_driver::replay::Replay;
use vppkit_driver::{Config, Installation, StartError, Vpp, show};
use vppkit_host::{Packets, PluginFile};

use super::interrupt::Interrupt;
use super::outcome::Outcome;
use super::{print, say_written};
use crate::args::Run;
use crate::build::plugin_file;

/// Ethernet address of the interface `pg0`.
const MAC: [u8; 6] = [0x02, 0xfe, 0, 0, 0, 1];
const ADDRESS: &str = "203.0.113.1/24";
/// What makes VPP forward: a neighbour that all routes lead to. IPv6 is enabled without an address, so that VPP says
/// nothing of itself on the interface.
const FORWARD: [&str; 6] = [
    "set interface feature pg0 ip6-not-enabled arc ip6-unicast disable",
    "set interface feature pg0 ip6-not-enabled arc ip6-multicast disable",
    "set ip neighbor pg0 203.0.113.2 02:fe:00:00:00:02",
    "set ip neighbor pg0 2001:db8:ffff::2 02:fe:00:00:00:02",
    "ip route add 0.0.0.0/0 via 203.0.113.2 pg0",
    "ip route add ::/0 via 2001:db8:ffff::2 pg0",
];

/// Arc and node.
pub(super) type Feature = (String, String);

pub(super) fn run(args: &Run, prefix: &Path, captures: Vec<Packets>) -> Result<ExitCode> {
    let installation = Installation::at(prefix)?;
    let output = args.out.as_deref().map(create).transpose()?;
    let mut plugins = Vec::new();
    for plugin in std::iter::once(&args.plugin).chain(&args.others) {
        let file = plugin_file(plugin, !args.debug)?;
        PluginFile::read(&file).with_context(|| format!("the plugin {}", file.display()))?;
        plugins.push(file);
    }
    let interrupt = Interrupt::listen()?;
    let result = run_in(&installation, args, &plugins, captures, output, &interrupt);
    match interrupt.exit_code() {
        Some(code) => Ok(code),
        None => result,
    }
}

fn run_in(
    installation: &Installation,
    args: &Run,
    plugins: &[PathBuf],
    captures: Vec<Packets>,
    output: Option<(PathBuf, File)>,
    interrupt: &Interrupt,
) -> Result<ExitCode> {
    let config = || Config::new().workers(args.workers).cancel(interrupt.flag());
    let plain = Plain::of(&Vpp::start(installation, &config()).map_err(explain(installation, args))?)?;

    // The packet generator holds a capture in memory, each packet with some bytes around it.
    let size: u64 = args.pcap.iter().filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
    let config = plugins.iter().fold(config().more_heap(size * 3), Config::plugin);
    let mut vpp = Vpp::start(installation, &config).map_err(|error| {
        explain(installation, args)(error).context("VPP starts without the plugin, but not with it")
    })?;
    match play(&vpp, args, plugins, &plain, captures, output) {
        Err(error) if !interrupt.is_set() => match vpp.ended() {
            Some(status) => {
                bail!("VPP ended during the run ({status}); the end of its log:\n{}", vpp.log_tail())
            }
            None => Err(error),
        },
        result => result,
    }
}

/// Sends the packets through a VPP that has just been started, and prints what it did.
fn play(
    vpp: &Vpp,
    args: &Run,
    plugins: &[PathBuf],
    plain: &Plain,
    captures: Vec<Packets>,
    output: Option<(PathBuf, File)>,
) -> Result<ExitCode> {
    check_loaded(vpp, plugins)?;
    let nodes = show::nodes(&vpp.cli("show vlib graphviz")?);
    let features = features(args, plain, &show::arcs(&vpp.cli("show features")?))?;

    vpp.create_interface(&MAC.map(|byte| format!("{byte:02x}")).join(":"), ADDRESS)?;
    for command in FORWARD {
        vpp.command(command)?;
    }
    for (arc, node) in &features {
        vpp.command(&format!("set interface feature pg0 {node} arc {arc}"))?;
    }
    let replay = Replay::new(vpp, captures.into_iter().flatten(), MAC, args.workers)?;
    let sent_out = vpp.folder().join("sent.pcap");
    if output.is_some() {
        vpp.cli(&format!("packet-generator capture pg0 pcap {}", sent_out.display()))?;
    }
    for command in ["clear errors", "clear runtime", "clear trace"] {
        vpp.cli(command)?;
    }
    if args.trace > 0 {
        vpp.cli(&format!("trace add pg-input {}", args.trace))?;
    }
    replay.run(vpp)?;
    settle(vpp)?;

    let own_nodes = nodes.difference(&plain.nodes).cloned().collect();
    let outcome = Outcome::collect(vpp, args, replay, own_nodes, features)?;
    let text = if args.json { outcome.json()? } else { outcome.text() };
    print::write(&text)?;
    if let Some((path, mut file)) = output {
        vpp.cli("packet-generator capture pg0 disable")?;
        let count = copy_capture(&sent_out, &mut file)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        say_written(args, &path.display().to_string(), count);
    }
    match outcome.error() {
        Some(error) => {
            eprintln!("error: {error}");
            Ok(ExitCode::FAILURE)
        }
        None => Ok(ExitCode::SUCCESS),
    }
}

/// What a VPP has without the plugins.
struct Plain {
    nodes: BTreeSet<String>,
    arcs: Vec<(String, Vec<String>)>,
}

impl Plain {
    fn of(vpp: &Vpp) -> Result<Self> {
        let nodes = show::nodes(&vpp.cli("show vlib graphviz")?);
        Ok(Self { nodes, arcs: show::arcs(&vpp.cli("show features")?) })
    }

    fn has(&self, arc: &str, node: &str) -> bool {
        self.arcs.iter().any(|(name, features)| name == arc && features.iter().any(|feature| feature == node))
    }
}

/// An error at start, with what is likely to mend it.
fn explain(installation: &Installation, args: &Run) -> impl Fn(StartError) -> anyhow::Error {
    let prefix = installation.prefix().display().to_string();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let shares_cores = usize::from(args.workers) + 1 > cores;
    move |error| {
        let ended = matches!(error, StartError::Ended { .. });
        let error = anyhow!(error);
        if ended && shares_cores {
            let hint = format!(
                "{} threads on {cores} cores need a mount namespace, which root may make, or fewer --workers",
                args.workers + 1
            );
            return error.context(hint).context(prefix.clone());
        }
        error.context(prefix.clone())
    }
}

/// VPP goes on without a plugin that it refuses; its log says why.
fn check_loaded(vpp: &Vpp, plugins: &[PathBuf]) -> Result<()> {
    let listed = show::plugins(&vpp.cli("show plugins")?);
    for plugin in plugins {
        let name = vppkit_driver::plugin_name(plugin);
        if listed.iter().any(|plugin| plugin.file == name) {
            continue;
        }
        let log = vpp.cli("show logging")?;
        let stem = name.trim_end_matches("_plugin.so");
        let about: Vec<_> = log.lines().filter(|line| line.contains(stem)).collect();
        let about = if about.is_empty() { vpp.log_tail() } else { about.join("\n") };
        let version = vpp.installation().version();
        bail!("VPP {version} refuses the plugin {}; its log says:\n{about}", plugin.display());
    }
    Ok(())
}

/// The features to enable: those that the user names, or all that are there only with the plugins.
fn features(args: &Run, plain: &Plain, arcs: &[(String, Vec<String>)]) -> Result<Vec<Feature>> {
    for (arc, node) in &args.features {
        let names = |names: &mut dyn Iterator<Item = &String>| names.cloned().collect::<Vec<_>>().join(", ");
        let Some((_, features)) = arcs.iter().find(|(name, _)| name == arc) else {
            bail!("VPP has no feature arc `{arc}`; it has {}", names(&mut arcs.iter().map(|(name, _)| name)));
        };
        ensure!(
            features.contains(node),
            "the arc `{arc}` has no feature `{node}`; it has {}",
            names(&mut features.iter())
        );
    }
    if !args.features.is_empty() {
        return Ok(args.features.clone());
    }
    let all = arcs.iter().flat_map(|(arc, features)| features.iter().map(move |node| (arc, node)));
    Ok(all
        .filter(|(arc, node)| !plain.has(arc, node))
        .map(|(arc, node)| (arc.clone(), node.clone()))
        .collect())
}

/// Waits until no node moves packets.
fn settle(vpp: &Vpp) -> Result<()> {
    let mut last = None;
    loop {
        let vectors: u64 = show::runtime(&vpp.cli("show runtime")?).values().map(|node| node.vectors).sum();
        if last.replace(vectors) == Some(vectors) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn create(path: &Path) -> Result<(PathBuf, File)> {
    let file = File::create(path).with_context(|| path.display().to_string())?;
    Ok((path.to_owned(), file))
}

/// Copies what VPP wrote, and counts its packets. VPP writes no file when it sent nothing.
fn copy_capture(from: &Path, to: &mut File) -> Result<u64> {
    if from.exists() {
        std::io::copy(&mut File::open(from)?, to)?;
        return Ok(Packets::from_pcap(from)?.filter(Result::is_ok).count() as u64);
    }
    vppkit_host::PcapWriter::new(to)?.flush()?;
    Ok(0)
}
