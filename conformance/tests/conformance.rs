//! One build of the plugins in real VPPs: the same files, with 0, 1 and 2 workers, against the embedded host.
//!
//! `VPP_PREFIX` names the installations, separated by `:`. Without it nothing is run, and that is said.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use conformance::{Plugins, Setup, in_host, in_vpp, start};
use libtest_mimic::{Arguments, Trial};
use vppkit_driver::{Installation, Source, Stream, Vpp, show};
use vppkit_host::{Host, Release};

/// A check: its name, and what it does with a VPP.
type Check = (&'static str, fn(&Setup, &Plugins) -> Result<()>);

const CHECKS: [Check; 9] = [
    ("the_plugin_is_listed_with_version_and_description", the_plugin_is_listed_with_version_and_description),
    ("the_node_is_there_with_its_next_nodes", the_node_is_there_with_its_next_nodes),
    ("every_variant_can_be_selected_and_gives_the_same", every_variant_can_be_selected_and_gives_the_same),
    ("features_are_ordered_by_their_constraints", features_are_ordered_by_their_constraints),
    ("captures_give_what_the_embedded_host_gives", captures_give_what_the_embedded_host_gives),
    ("a_million_packets_and_no_buffer_is_lost", a_million_packets_and_no_buffer_is_lost),
    (
        "enabled_and_disabled_a_thousand_times_under_traffic",
        enabled_and_disabled_a_thousand_times_under_traffic,
    ),
    ("a_panic_costs_a_frame_and_a_counter", a_panic_costs_a_frame_and_a_counter),
    ("a_plugin_that_refuses_leaves_vpp_running", a_plugin_that_refuses_leaves_vpp_running),
];

/// For an installation of a development line.
const DEVELOPMENT_CHECKS: [Check; 1] = [(
    "a_development_line_is_for_plugins_that_ask_for_it",
    a_development_line_is_for_plugins_that_ask_for_it,
)];

const WORKERS: [u16; 3] = [0, 1, 2];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let installations = match Installation::from_env() {
        Ok(installations) => installations,
        Err(error) => {
            eprintln!("VPP_PREFIX: {error}");
            return ExitCode::FAILURE;
        }
    };
    let Some(installations) = installations else {
        eprintln!("skipped: no real VPP; set VPP_PREFIX to the prefixes of installed VPPs, separated by `:`");
        let trials =
            CHECKS.iter().map(|(name, _)| Trial::test(*name, || Ok(())).with_ignored_flag(true)).collect();
        return libtest_mimic::run(&arguments, trials).exit_code();
    };
    let plugins = match Plugins::build() {
        Ok(plugins) => Arc::new(plugins),
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    for installation in installations {
        for workers in WORKERS {
            let checks = if is_development(&installation) { &DEVELOPMENT_CHECKS[..] } else { &CHECKS[..] };
            for &(name, check) in checks {
                let (setup, plugins) =
                    (Setup { installation: installation.clone(), workers }, Arc::clone(&plugins));
                let name = format!("{}/{workers}_workers/{name}", installation.version());
                trials.push(Trial::test(name, move || {
                    Ok(check(&setup, &plugins).map_err(|e| format!("{e:#}"))?)
                }));
            }
        }
    }
    // One VPP at a time: each has threads that never rest.
    let arguments = Arguments { test_threads: arguments.test_threads.or(Some(1)), ..arguments };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Whether it is built from a development line, before the release's branch.
fn is_development(installation: &Installation) -> bool {
    installation.version().contains("-rc0")
}

/// Like `26.06` for `26.06-release`.
fn release(setup: &Setup) -> &str {
    setup.installation.version().get(..5).unwrap_or_default()
}

const ENABLE: &str = "set interface feature pg0 drop-icmp arc ip4-unicast";
const DISABLE: &str = "set interface feature pg0 drop-icmp arc ip4-unicast disable";

fn the_plugin_is_listed_with_version_and_description(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp])?;
    let listed = show::plugins(&vpp.cli("show plugins")?);
    let plugin = listed.iter().find(|plugin| plugin.file == "drop_icmp_plugin.so").context("it is listed")?;
    ensure!(plugin.version == env!("CARGO_PKG_VERSION"), "{plugin:?}");
    ensure!(plugin.description == "Drop ICMP", "{plugin:?}");
    Ok(())
}

fn the_node_is_there_with_its_next_nodes(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp])?;
    let text = vpp.cli("show node drop-icmp")?;
    ensure!(text.contains("node drop-icmp, type internal, state active"), "{text}");
    let report =
        Host::new().vpp(Release::find(release(setup))?).plugin(&plugins.drop_icmp).no_auto_enable().run()?;
    let node = report.node("drop-icmp").context("the host has the node")?;
    let expected: Vec<_> = node.next.iter().map(|next| next.node.clone()).collect();
    let found: Vec<_> = show::next_nodes(&text).into_iter().map(|(name, _)| name).collect();
    ensure!(found == expected, "VPP {found:?}, host {expected:?}");
    Ok(())
}

/// The variants that `drop-icmp` has clones for, by release.
fn expected_variants(release: &str) -> &'static [&'static str] {
    match release {
        "25.10" | "26.02" => &["icl", "skx", "hsw", "default"],
        _ => &["x86_64_v4", "x86_64_v3", "default"],
    }
}

fn every_variant_can_be_selected_and_gives_the_same(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp])?;
    vpp.command(ENABLE)?;
    let variants = || Ok::<_, anyhow::Error>(show::variants(&vpp.cli("show node drop-icmp")?));
    let registered = variants()?;
    // A clone that this processor cannot run is not registered.
    let expected = expected_variants(release(setup));
    ensure!(registered.iter().all(|variant| expected.contains(&variant.name.as_str())), "{registered:?}");
    ensure!(registered.iter().any(|variant| variant.name == "default"), "{registered:?}");
    let best = registered.iter().max_by_key(|variant| variant.priority).context("there are some")?;
    ensure!(best.active, "the best is active: {registered:?}");
    let expected = in_host(release(setup), &plugins.drop_icmp, "mixed.pcapng")?;
    for variant in &registered {
        let name = &variant.name;
        vpp.command(&format!("set node function drop-icmp {name}"))?;
        ensure!(
            variants()?.iter().any(|variant| variant.active && variant.name == *name),
            "{name} is selected"
        );
        let found = in_vpp(&vpp, "mixed.pcapng")?;
        ensure!(found == expected, "{name}: VPP {found:#?}\nhost {expected:#?}");
    }
    Ok(())
}

fn features_are_ordered_by_their_constraints(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp, &plugins.probe])?;
    let features = show::features(&vpp.cli("show features")?, "ip4-unicast");
    let place = |name: &str| {
        features.iter().position(|feature| feature == name).with_context(|| format!("{name} in {features:?}"))
    };
    let order = ["probe-first", "drop-icmp", "probe-last", "ip4-lookup"];
    for pair in order.windows(2) {
        ensure!(place(pair[0])? < place(pair[1])?, "{} before {}: {features:?}", pair[0], pair[1]);
    }
    // In that order under traffic, too: what the first sees and the second does not let pass, the third does not see.
    for node in &order[..3] {
        vpp.command(&format!("set interface feature pg0 {node} arc ip4-unicast"))?;
    }
    send(&vpp, 5_000, 1_000)?;
    let errors = show::errors(&vpp.cli("show errors")?);
    let count =
        |node: &str| errors.iter().filter(|line| line.node == node).map(|line| line.count).sum::<u64>();
    ensure!(count("probe-first") == 6_000, "{errors:?}");
    ensure!(count("drop-icmp") == 1_000, "{errors:?}");
    ensure!(count("probe-last") == 5_000, "{errors:?}");
    Ok(())
}

fn captures_give_what_the_embedded_host_gives(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp])?;
    vpp.command(ENABLE)?;
    for capture in [
        "ping.pcap",
        "http.pcap",
        "dns.pcap",
        "ipv6.pcap",
        "vlan.pcap",
        "fragments.pcap",
        "jumbo.pcap",
        "mixed.pcapng",
    ] {
        let expected = in_host(release(setup), &plugins.drop_icmp, capture)?;
        let found = in_vpp(&vpp, capture)?;
        ensure!(found == expected, "{capture}: VPP {found:#?}\nhost {expected:#?}");
    }
    no_buffer_is_lost(&vpp)
}

fn a_million_packets_and_no_buffer_is_lost(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp])?;
    vpp.command(ENABLE)?;
    send(&vpp, 1_000_000, 1_000)?;
    let runtime = show::runtime(&vpp.cli("show runtime")?);
    ensure!(runtime["drop-icmp"].vectors == 1_001_000, "{:?}", runtime["drop-icmp"]);
    ensure!(runtime["ip4-lookup"].vectors == 1_000_000, "{:?}", runtime["ip4-lookup"]);
    let errors = show::errors(&vpp.cli("show errors")?);
    let dropped: Vec<_> = errors.iter().filter(|line| line.node == "drop-icmp").collect();
    let [line] = dropped[..] else { anyhow::bail!("{errors:?}") };
    ensure!((line.reason.as_str(), line.count) == ("ICMP packets dropped", 1_000), "{line:?}");
    no_buffer_is_lost(&vpp)
}

fn enabled_and_disabled_a_thousand_times_under_traffic(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp])?;
    let before = vpp.cli("show interface features pg0")?;
    add_udp(&vpp, 50_000_000)?;
    vpp.command("packet-generator enable-stream udp")?;
    // Some at a time: with no workers, commands and packets share a thread.
    let script = vpp.folder().join("toggle.cli");
    std::fs::write(&script, format!("{ENABLE}\n{DISABLE}\n").repeat(20))?;
    for _ in 0..50 {
        vpp.command(&format!("exec {}", script.display()))?;
    }
    vpp.command("packet-generator disable-stream udp")?;
    vpp.wait_for_streams()?;
    let handled = show::runtime(&vpp.cli("show runtime")?);
    ensure!(handled.get("ip4-lookup").is_some_and(|node| node.vectors > 0), "there was traffic: {handled:?}");
    let after = vpp.cli("show interface features pg0")?;
    ensure!(before == after, "before:\n{before}\nafter:\n{after}");
    no_buffer_is_lost(&vpp)?;
    // And it still works.
    vpp.remove_stream("udp")?;
    vpp.command(ENABLE)?;
    vpp.cli("clear errors")?;
    send(&vpp, 100, 100)?;
    let errors = show::errors(&vpp.cli("show errors")?);
    ensure!(errors.iter().any(|line| line.node == "drop-icmp" && line.count == 100), "{errors:?}");
    Ok(())
}

fn a_panic_costs_a_frame_and_a_counter(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let mut vpp = start(setup, &[&plugins.drop_icmp, &plugins.probe])?;
    vpp.command("set interface feature pg0 probe-panics arc ip4-unicast")?;
    let data = "UDP: 10.0.0.2 -> 10.9.9.9 ttl 77 UDP: 1 -> 2";
    vpp.add_stream(&Stream {
        name: "boom",
        source: Source::Data(data, 64),
        packets: 10,
        node: "ip4-input",
        worker: 0,
    })?;
    vpp.run_streams()?;
    vpp.remove_stream("boom")?;
    ensure!(vpp.is_alive(), "VPP is gone:\n{}", vpp.log_tail());
    let errors = show::errors(&vpp.cli("show errors")?);
    let line = errors.iter().find(|line| line.node == "probe-panics").context("the panic is counted")?;
    ensure!((line.reason.as_str(), line.count) == ("packets dropped after a panic", 10), "{line:?}");
    // The node goes on.
    send(&vpp, 1_000, 0)?;
    let runtime = show::runtime(&vpp.cli("show runtime")?);
    ensure!(runtime["ip4-lookup"].vectors == 1_000, "{:?}", runtime["ip4-lookup"]);
    no_buffer_is_lost(&vpp)
}

fn a_plugin_that_refuses_leaves_vpp_running(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.refuses, &plugins.drop_icmp])?;
    let listed = show::plugins(&vpp.cli("show plugins")?);
    ensure!(listed.iter().all(|plugin| !plugin.file.contains("refuses")), "{listed:?}");
    let log = vpp.cli("show logging")?;
    ensure!(log.contains("two nodes are named `twice`"), "{log}");
    let answer = vpp.cli("show node twice")?;
    ensure!(!answer.contains("node twice,"), "nothing of it is registered: {answer}");
    vpp.command(ENABLE)?;
    send(&vpp, 1_000, 10)?;
    let errors = show::errors(&vpp.cli("show errors")?);
    ensure!(errors.iter().any(|line| line.node == "drop-icmp" && line.count == 10), "{errors:?}");
    Ok(())
}

fn a_development_line_is_for_plugins_that_ask_for_it(setup: &Setup, plugins: &Plugins) -> Result<()> {
    let vpp = start(setup, &[&plugins.drop_icmp, &plugins.probe])?;
    let listed = show::plugins(&vpp.cli("show plugins")?);
    ensure!(listed.iter().any(|plugin| plugin.file.contains("probe")), "it asked: {listed:?}");
    ensure!(listed.iter().all(|plugin| !plugin.file.contains("drop_icmp")), "it did not ask: {listed:?}");
    let log = vpp.cli("show logging")?;
    let expected =
        format!("built for VPP 25.10, 26.02 and 26.06, this is VPP {}", setup.installation.version());
    ensure!(log.contains(&expected), "{log}");
    vpp.command("set interface feature pg0 probe-last arc ip4-unicast")?;
    send(&vpp, 100_000, 0)?;
    let errors = show::errors(&vpp.cli("show errors")?);
    ensure!(errors.iter().any(|line| line.node == "probe-last" && line.count == 100_000), "{errors:?}");
    no_buffer_is_lost(&vpp)
}

fn add_udp(vpp: &Vpp, packets: u64) -> Result<()> {
    let source = Source::Data("UDP: 10.0.0.2 -> 10.9.9.9 UDP: 1 -> 2", 64);
    Ok(vpp.add_stream(&Stream { name: "udp", source, packets, node: "ip4-input", worker: 0 })?)
}

/// Sends that many UDP and ICMP packets to `ip4-input`.
fn send(vpp: &Vpp, udp: u64, icmp: u64) -> Result<()> {
    add_udp(vpp, udp)?;
    if icmp > 0 {
        let source = Source::Data("ICMP: 10.0.0.2 -> 10.9.9.9 ICMP echo_request", 64);
        vpp.add_stream(&Stream { name: "icmp", source, packets: icmp, node: "ip4-input", worker: 0 })?;
    }
    vpp.run_streams()?;
    if icmp > 0 {
        vpp.remove_stream("icmp")?;
    }
    Ok(vpp.remove_stream("udp")?)
}

fn no_buffer_is_lost(vpp: &Vpp) -> Result<()> {
    let text = vpp.cli("show buffers")?;
    let used = show::buffers_used(&text).with_context(|| format!("buffers in use: {text}"))?;
    ensure!(used == 0, "{used} buffers are still in use:\n{text}");
    Ok(())
}
