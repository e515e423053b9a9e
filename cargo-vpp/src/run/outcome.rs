//! What a real VPP did with the packets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use vppkit_driver::Vpp;
use vppkit_driver::replay::Replay;
use vppkit_driver::show::{self, ErrorLine, Runtime, TraceRecord};
use vppkit_host::CaptureError;

use super::print;
use super::vpp::Feature;
use crate::args::Run;

/// `show runtime` cuts names to this many characters.
const RUNTIME_NAME: usize = 30;
/// `show errors` cuts names to this many characters.
const ERROR_NAME: usize = 35;

/// A node of a plugin.
struct Node {
    name: String,
    runtime: Runtime,
    next: Vec<(String, u64)>,
    errors: Vec<ErrorLine>,
}

/// Everything that is shown.
pub(super) struct Outcome {
    version: String,
    workers: u16,
    replay: Replay,
    features: Vec<Feature>,
    show_runtime: String,
    show_errors: String,
    show_trace: Option<String>,
    /// All nodes that ran.
    runtime: BTreeMap<String, Runtime>,
    nodes: Vec<Node>,
}

impl Outcome {
    pub(super) fn collect(
        vpp: &Vpp,
        args: &Run,
        replay: Replay,
        own_nodes: BTreeSet<String>,
        features: Vec<Feature>,
    ) -> Result<Self> {
        let show_runtime = vpp.cli("show runtime")?;
        let show_errors = vpp.cli("show errors")?;
        let show_trace = match args.trace {
            0 => None,
            packets => Some(vpp.cli(&format!("show trace max {packets}"))?),
        };
        let (runtime, errors) = (show::runtime(&show_runtime), show::errors(&show_errors));
        let mut nodes = Vec::new();
        for name in own_nodes {
            let next = show::next_nodes(&vpp.cli(&format!("show node {name}"))?);
            let own = runtime.get(cut(&name, RUNTIME_NAME)).copied().unwrap_or_default();
            let errors = errors.iter().filter(|line| line.node == cut(&name, ERROR_NAME)).cloned().collect();
            nodes.push(Node { name, runtime: own, next, errors });
        }
        let (version, workers) = (vpp.installation().version().to_owned(), args.workers);
        Ok(Self { version, workers, replay, features, show_runtime, show_errors, show_trace, runtime, nodes })
    }

    /// What ended the captures early.
    pub(super) fn error(&self) -> Option<&CaptureError> {
        self.replay.error.as_ref()
    }

    pub(super) fn text(&self) -> String {
        print::sections(&self.show_runtime, &self.show_errors, self.show_trace.as_deref(), &self.summary())
    }

    fn vectors(&self, node: &str) -> u64 {
        self.runtime.get(node).map_or(0, |node| node.vectors)
    }

    /// Where packets left VPP.
    fn ends(&self) -> [(&'static str, u64); 3] {
        [
            ("sent_out", self.vectors("pg0-tx")),
            ("dropped", self.vectors("drop")),
            ("punted", self.vectors("punt")),
        ]
    }

    fn summary(&self) -> String {
        let plural = |n: u64| if n == 1 { "packet" } else { "packets" };
        let Replay { packets, cut, .. } = self.replay;
        let mut s = format!("{packets} {} sent into VPP {}", plural(packets), self.version);
        if cut > 0 {
            let _ = write!(s, ", {cut} of them captured only in part");
        }
        s.push('\n');
        for (what, n) in self.ends().into_iter().filter(|(_, n)| *n > 0) {
            let _ = writeln!(s, "{n:>10} {}", what.replace('_', " "));
        }
        for node in &self.nodes {
            let handled = node.runtime.vectors;
            let _ = writeln!(s, "{}: {handled} {} handled", node.name, plural(handled));
            for (next, n) in node.next.iter().filter(|(_, n)| *n > 0) {
                let _ = writeln!(s, "{n:>10} to {next}");
            }
            for ErrorLine { reason, severity, count, .. } in &node.errors {
                let _ = writeln!(s, "{count:>10} counted as {severity}: {reason}");
            }
        }
        let mixed = |node: &Node| node.next.iter().map(|(_, n)| n).sum::<u64>() > node.runtime.vectors;
        if self.nodes.iter().any(mixed) {
            s.push_str("VPP's counters of a next node mix what several nodes sent there.\n");
        }
        s
    }

    pub(super) fn json(&self) -> Result<String> {
        let Replay { packets, bytes, cut, error, .. } = &self.replay;
        let mut summary = json!({ "read": packets, "bytes": bytes, "cut": cut });
        for (what, n) in self.ends() {
            summary[what] = n.into();
        }
        let own = |name: &str| self.nodes.iter().find(|node| self::cut(&node.name, RUNTIME_NAME) == name);
        let nodes = self.runtime.iter().filter(|(_, runtime)| runtime.calls > 0).map(|(name, runtime)| {
            let node = own(name);
            let next = node.map_or(&[][..], |node| &node.next).iter().filter(|(_, n)| *n > 0);
            json!({
                "name": node.map_or(name, |node| &node.name),
                "of_plugin": node.is_some(),
                "calls": runtime.calls,
                "vectors": runtime.vectors,
                "next": next.map(|(node, n)| json!({ "node": node, "vectors": n })).collect::<Vec<_>>(),
            })
        });
        let nodes: Vec<Value> = nodes.collect();
        let errors: Vec<_> = show::errors(&self.show_errors).iter().map(|line| json!({
            "node": line.node, "description": line.reason, "severity": line.severity, "count": line.count,
        })).collect();
        let traces = self.show_trace.as_deref().map(show::traces).unwrap_or_default();
        let traces: Vec<_> = traces
            .iter()
            .enumerate()
            .map(|(i, records)| {
                let record = |TraceRecord { node, text }: &TraceRecord| json!({ "node": node, "text": text });
                json!({ "packet": i, "records": records.iter().map(record).collect::<Vec<_>>() })
            })
            .collect();
        let features: Vec<_> =
            self.features.iter().map(|(arc, node)| json!({ "arc": arc, "node": node })).collect();
        let value = json!({
            "vpp": self.version,
            "workers": self.workers,
            "summary": summary,
            "features": features,
            "nodes": nodes,
            "errors": errors,
            "traces": traces,
            "error": error.as_ref().map(ToString::to_string),
        });
        Ok(serde_json::to_string_pretty(&value)? + "\n")
    }
}

fn cut(name: &str, width: usize) -> &str {
    name.char_indices().nth(width).map_or(name, |(at, _)| &name[..at])
}
