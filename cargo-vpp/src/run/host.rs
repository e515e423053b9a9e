//! A plugin on a capture in the embedded host.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, stderr};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use vppkit_host::{Host, Packets, PcapWriter, Release, Report};

use super::{print, say_written};
use crate::args::Run;
use crate::build::plugin_file;

pub(super) fn run(args: &Run, captures: Vec<Packets>) -> Result<ExitCode> {
    let mut host = Host::new().vpp(Release::find(args.vpp.name())?).trace(args.trace).keep_packets(0);
    for plugin in std::iter::once(&args.plugin).chain(&args.others) {
        host = host.plugin(plugin_file(plugin, !args.debug)?);
    }
    if !args.features.is_empty() {
        host = host.no_auto_enable();
    }
    for (arc, node) in &args.features {
        host = host.enable_feature(arc, node);
    }
    for capture in captures {
        host = host.inject(capture);
    }
    let output = args.out.as_deref().map(Output::create).transpose()?;
    if let Some(output) = &output {
        host = output.receive(host);
    }
    let bar = progress_bar();
    host = show_progress(host, &bar);

    let result = host.run();
    bar.finish_and_clear();
    let written = output.map(Output::finish).transpose();
    let code = match result {
        Ok(report) => {
            print::report(&report, None, args)?;
            if warn_of_panics(&report) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            match error.report() {
                Some(report) => print::report(report, Some(&error), args)?,
                None => bail!(error),
            }
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    };
    if let Some((path, count)) = written? {
        say_written(args, &path, count);
    }
    Ok(code)
}

/// Whether a node written with vppkit panicked. VPP would live on, and so does the run; but it is a bug all the same.
fn warn_of_panics(report: &Report) -> bool {
    let panics: Vec<_> =
        report.errors().iter().filter(|error| error.name == "panic" && error.count > 0).collect();
    for panic in &panics {
        eprintln!("error: the node `{}` panicked, which cost {} packets", panic.node, panic.count);
    }
    !panics.is_empty()
}

/// The pcap file that packets which came through are written to.
struct Output {
    path: String,
    writer: Rc<RefCell<PcapWriter<BufWriter<File>>>>,
}

impl Output {
    fn create(path: &Path) -> Result<Self> {
        let writer = Rc::new(RefCell::new(PcapWriter::create(path)?));
        Ok(Self { path: path.display().to_string(), writer })
    }

    fn receive(&self, host: Host) -> Host {
        let writer = Rc::clone(&self.writer);
        host.on_packet(move |packet| writer.borrow_mut().write(packet))
    }

    fn finish(self) -> Result<(String, u64)> {
        let mut writer = self.writer.borrow_mut();
        writer.flush().with_context(|| format!("{} cannot be written", self.path))?;
        Ok((self.path.clone(), writer.count()))
    }
}

/// On a terminal, once a capture takes longer than a moment.
fn progress_bar() -> ProgressBar {
    let target = if stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}") {
        bar.set_style(style);
    }
    bar
}

fn show_progress(host: Host, bar: &ProgressBar) -> Host {
    let bar = bar.clone();
    host.on_progress(move |read, total| {
        if let Some(total) = total {
            bar.set_length(total);
        }
        bar.set_position(read);
    })
}
