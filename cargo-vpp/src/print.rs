//! What a run prints.

use std::io::{Write as _, stdout};

use anyhow::Result;
use vppkit_host::{HostError, Report};

use crate::args::Run;

/// Prints the report of a run, whole or cut short by an error.
pub(crate) fn report(report: &Report, error: Option<&HostError>, args: &Run) -> Result<()> {
    for warning in report.warnings() {
        eprintln!("warning: {warning}");
    }
    let text = if args.json { json(report, error)? } else { text(report, args) };
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
    let mut text = String::new();
    let mut section = |command: &str, output: String| {
        text.push_str(&format!("vpp# {command}\n{}\n\n", output.trim_end()));
    };
    section("show runtime", report.show_runtime());
    section("show errors", report.show_errors());
    if args.trace > 0 {
        section("show trace", report.show_trace());
    }
    text.push_str(report.show_summary().trim_end());
    text.push('\n');
    text
}
