//! What a run prints.

use std::io::{Write as _, stdout};

use anyhow::Result;
use vppkit_host::{HostError, Report};

use crate::args::Run;

/// Prints the report of a run, whole or cut short by an error.
pub(super) fn report(report: &Report, error: Option<&HostError>, args: &Run) -> Result<()> {
    for warning in report.warnings() {
        eprintln!("warning: {warning}");
    }
    let text = if args.json { json(report, error)? } else { text(report, args) };
    write(&text)
}

/// Writes to standard output.
pub(super) fn write(text: &str) -> Result<()> {
    match stdout().write_all(text.as_bytes()) {
        // The reader has seen enough, as with `| head`.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

fn json(report: &Report, error: Option<&HostError>) -> Result<String> {
    let mut value = report.to_json();
    value["error"] = error.map(ToString::to_string).into();
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

fn text(report: &Report, args: &Run) -> String {
    let trace = (args.trace > 0).then(|| report.show_trace());
    sections(&report.show_runtime(), &report.show_errors(), trace.as_deref(), &report.show_summary())
}

/// What VPP prints, each under its command, and a summary.
pub(super) fn sections(runtime: &str, errors: &str, trace: Option<&str>, summary: &str) -> String {
    let commands = [("show runtime", Some(runtime)), ("show errors", Some(errors)), ("show trace", trace)];
    let mut text = String::new();
    for (command, output) in commands {
        if let Some(output) = output {
            text.push_str(&format!("vpp# {command}\n{}\n\n", output.trim_end()));
        }
    }
    text.push_str(summary.trim_end());
    text.push('\n');
    text
}
