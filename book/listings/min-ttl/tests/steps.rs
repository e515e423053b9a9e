//! The steps of the guide's first plugin, and the output that it shows.

use std::path::PathBuf;

use vppkit_host::{Host, Packets, Report, built_plugin};

fn run(plugin: PathBuf, trace: u32) -> Report {
    Host::new()
        .plugin(plugin)
        .trace(trace)
        .inject(Packets::from_pcap("captures/ttl.pcap").unwrap())
        .run()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Cargo builds the steps as examples, in a folder beside that of the tests.
fn step(name: &str) -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().join(format!("../examples/lib{name}.so"))
}

#[test]
fn the_first_step_lets_everything_pass() {
    let report = run(step("min_ttl_step1"), 0);
    assert_eq!(report.node("min-ttl").unwrap().vectors, 44);
    assert_eq!(report.sink("ip4-lookup").len(), 44);
}

#[test]
fn the_second_and_third_step_drop_what_is_low() {
    for name in ["min_ttl_step2", "min_ttl_step3"] {
        let report = run(step(name), 20);
        assert_eq!(report.error("min-ttl", "low_ttl"), 19, "{name}");
        assert_eq!(report.sink("ip4-lookup").len(), 25, "{name}");
        assert_eq!(report.traces()[12].at("min-ttl").is_some(), name == "min_ttl_step3");
    }
}

/// What the chapter shows is what a run prints, but for spaces at the end of lines.
#[test]
fn the_output_in_the_guide_is_right() {
    let summary = |report: &Report| report.show_summary();
    let errors =
        |report: &Report| format!("vpp# show errors\n{}\n{}", report.show_errors(), report.show_summary());
    for (file, now) in [
        ("steps/1-pass.txt", summary(&run(step("min_ttl_step1"), 0))),
        ("steps/2-drop.txt", errors(&run(step("min_ttl_step2"), 0))),
        ("steps/4-bgp.txt", errors(&run(built_plugin("min-ttl").unwrap(), 0))),
    ] {
        let now: Vec<_> = now.lines().map(str::trim_end).collect();
        let shown = std::fs::read_to_string(file).unwrap();
        assert_eq!(shown.lines().collect::<Vec<_>>(), now, "{file} is not what the plugin prints");
    }
}
