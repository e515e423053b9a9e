//! `cargo vpp run`: a plugin on a capture, in the embedded host or in a real VPP.

mod host;
mod interrupt;
mod outcome;
mod print;
mod vpp;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use vppkit_host::Packets;

use crate::args::Run;

pub(crate) fn run(args: &Run) -> Result<ExitCode> {
    // What is wrong with the command line or a capture is said before anything is built.
    let captures = args.pcap.iter().map(Packets::from_pcap).collect::<Result<Vec<_>, _>>()?;
    if let Some(out) = &args.out {
        check_output(out, &args.pcap)?;
    }
    match &args.vpp_prefix {
        None => host::run(args, captures),
        Some(prefix) => vpp::run(args, prefix, captures),
    }
}

/// Writing over a capture while it is read would lose both.
fn check_output(out: &Path, captures: &[impl AsRef<Path>]) -> Result<()> {
    let Ok(out_file) = out.canonicalize() else { return Ok(()) };
    for capture in captures {
        if capture.as_ref().canonicalize().is_ok_and(|capture| capture == out_file) {
            bail!("--out {} is also the capture that is read: give another name", out.display());
        }
    }
    Ok(())
}

/// Says what was written where, after everything else.
fn say_written(args: &Run, path: &str, count: u64) {
    if !args.json {
        println!("\n{count} {} written to {path}", if count == 1 { "packet" } else { "packets" });
    }
}
