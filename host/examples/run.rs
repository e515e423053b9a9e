//! Runs captures through plugins: `run [--vpp RELEASE] [--trace N] PLUGIN.so... CAPTURE...`

use std::process::ExitCode;

use vppkit_host::{Host, HostError, Packets};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), HostError> {
    let mut host = Host::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        host = match arg.as_str() {
            "--vpp" => host.vpp(args.next().unwrap_or_default()),
            "--trace" => host.trace(args.next().and_then(|n| n.parse().ok()).unwrap_or(1)),
            plugin if plugin.ends_with(".so") => host.plugin(plugin),
            capture => host.inject(
                Packets::from_pcap(capture).map_err(|error| HostError::Capture { error, report: None })?,
            ),
        };
    }
    let (report, error) = match host.run() {
        Ok(report) => (report, None),
        Err(error) => match error.report() {
            Some(report) => (report.clone(), Some(error)),
            None => return Err(error),
        },
    };
    println!("{}\n{}", report.show_runtime(), report.show_errors());
    if !report.traces().is_empty() {
        println!("{}", report.show_trace());
    }
    for line in report.log() {
        println!("{line}");
    }
    for warning in report.warnings() {
        println!("warning: {warning}");
    }
    println!("{}", report.show_summary());
    error.map_or(Ok(()), Err)
}
