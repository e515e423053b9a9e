//! What a run leaves: packets, counters, traces, and where every packet went.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Value, json};

use crate::log::LogLine;
use crate::nodes::sink::Packet;
use crate::sanitize::Violation;
use crate::suggest::hint;
use crate::trace::Trace;

mod collect;

pub(crate) use collect::collect;

/// One error counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorCount {
    /// The node.
    pub node: String,
    /// The counter's name.
    pub name: String,
    /// What VPP shows for it.
    pub description: String,
    /// `error`, `warn` or `info`.
    pub severity: &'static str,
    /// How often.
    pub count: u64,
}

/// One next node of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextCount {
    /// Its index.
    pub slot: usize,
    /// Its name.
    pub node: String,
    /// Its node index.
    pub node_index: u32,
    /// How many vectors were sent there.
    pub vectors: u64,
}

/// A function of a node for one instruction-set variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// VPP's name of the variant.
    pub name: String,
    /// VPP's priority on this CPU; negative if the CPU cannot run it.
    pub priority: i32,
    /// Whether the node used it.
    pub active: bool,
}

/// One node and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeStats {
    /// Its name.
    pub name: String,
    /// The plugin that registered it; `None` for the host's own.
    pub plugin: Option<String>,
    /// Its index.
    pub index: u32,
    /// `internal`, `input`, `pre-input`, `process` or `sched`.
    pub kind: &'static str,
    /// `active`, `polling`, `interrupt wait` or `disabled`, as VPP says.
    pub state: &'static str,
    /// How often it was called.
    pub calls: u64,
    /// How many vectors it handled.
    pub vectors: u64,
    /// How many CPU clocks that took.
    pub clocks: u64,
    /// The most clocks that one call took, and its vectors.
    pub max_clocks: (u64, u64),
    /// Its next nodes.
    pub next: Vec<NextCount>,
    /// The nodes whose next node it is.
    pub previous: Vec<(String, u32)>,
    /// Its functions, if it has variants.
    pub variants: Vec<Variant>,
    /// The node whose sibling it is.
    pub sibling_of: Option<String>,
    /// `VLIB_NODE_FLAG_*`.
    pub flags: u16,
}

/// A feature as a plugin registered it: `vnet_feature_registration_t`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginFeature {
    /// The arc.
    pub arc: String,
    /// The node.
    pub node: String,
    /// Features that come later on the arc.
    pub before: Vec<String>,
    /// Features that come earlier.
    pub after: Vec<String>,
}

/// Packets that ended for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The node.
    pub node: String,
    /// The reason, for packets that were dropped.
    pub reason: String,
    /// How many.
    pub packets: u64,
}

/// Where every packet went. What was read and made is the sum of everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Packets of the input.
    pub read: u64,
    /// Packets that nodes made, such as copies.
    pub created: u64,
    /// Packets that arrived at a sink.
    pub forwarded: Vec<Ended>,
    /// Packets that were dropped, by who gave the reason.
    pub dropped: Vec<Ended>,
    /// Packets that were handed to the control plane, which nobody listens to here.
    pub punted: Vec<Ended>,
    /// Packets that a node freed itself, or appended to another packet.
    pub freed: Vec<Ended>,
    /// Packets that a node lost by breaking a rule.
    pub lost: Vec<Ended>,
}

impl Summary {
    /// All packets that ended.
    pub fn ended(&self) -> u64 {
        self.parts().into_iter().flat_map(|(_, part)| part).map(|e| e.packets).sum()
    }

    /// Each kind of end.
    pub(crate) fn parts(&self) -> [(&'static str, &[Ended]); 5] {
        [
            ("forwarded", &self.forwarded),
            ("dropped", &self.dropped),
            ("punted", &self.punted),
            ("freed", &self.freed),
            ("lost", &self.lost),
        ]
    }

    /// Whether every packet is accounted for.
    pub fn adds_up(&self) -> bool {
        self.read + self.created == self.ended()
    }
}

/// The packets of one sink.
#[derive(Clone, Copy, Debug)]
pub struct Sink<'a> {
    name: &'a str,
    report: &'a Report,
}

impl<'a> Sink<'a> {
    /// The packets that were kept, in the order of their arrival.
    pub fn packets(&self) -> Vec<&'a Packet> {
        self.report.packets.iter().filter(|p| p.sink() == self.name).collect()
    }

    /// How many packets arrived, kept or not.
    pub fn len(&self) -> usize {
        self.report.summary.forwarded.iter().filter(|e| e.node == self.name).map(|e| e.packets as usize).sum()
    }

    /// Whether no packet arrived.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Everything that is known of a run.
#[derive(Clone)]
pub struct Report {
    pub(crate) release: &'static str,
    pub(crate) packets: Vec<Packet>,
    pub(crate) nodes: Vec<NodeStats>,
    pub(crate) sinks: BTreeSet<String>,
    pub(crate) errors: Vec<ErrorCount>,
    pub(crate) traces: Vec<Trace>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) warnings: Vec<String>,
    pub(crate) log: Vec<LogLine>,
    pub(crate) summary: Summary,
    pub(crate) arcs: BTreeMap<String, Vec<String>>,
    pub(crate) plugin_features: Vec<PluginFeature>,
    pub(crate) cli_commands: Vec<String>,
    pub(crate) cut: u64,
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
    pub(crate) clocks_per_second: f64,
    pub(crate) main_loops: u64,
    pub(crate) internal: (u64, u64),
}

/// In short: a failed test prints it.
impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("release", &self.release)
            .field("summary", &self.summary)
            .field("violations", &self.violations)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

impl Report {
    /// The release that was imitated, like `26.06`.
    pub fn release(&self) -> &'static str {
        self.release
    }

    /// A sink, by the name of its node. One that nothing arrived at has no packets.
    ///
    /// # Panics
    /// If no node has this name, or the node is no sink: a test that expects no packets must not pass because of a
    /// typo, or because the packets are counted elsewhere.
    #[track_caller]
    pub fn sink<'a>(&'a self, name: &'a str) -> Sink<'a> {
        self.known_node(name);
        if !self.sinks.contains(name) {
            let owner = match self.node(name).and_then(|n| n.plugin.as_deref()) {
                Some(plugin) => format!("`{plugin}`"),
                None => "the host".into(),
            };
            let instead = match name {
                "error-punt" | "punt" => ": packets that were punted are in summary().punted",
                "error-drop" | "drop" => ": packets that were dropped are in summary().dropped",
                _ => "",
            };
            panic!("`{name}` is a node of {owner}, no sink{instead}");
        }
        Sink { name, report: self }
    }

    /// All packets that were kept, in the order of their arrival.
    pub fn packets(&self) -> &[Packet] {
        &self.packets
    }

    /// A node's error counter, by its name or its description.
    ///
    /// # Panics
    /// If no node has this name, or the node no such counter: a test that expects 0 must not pass because of a typo.
    #[track_caller]
    pub fn error(&self, node: &str, error: &str) -> u64 {
        self.known_node(node);
        let of_node = self.errors.iter().filter(|e| e.node == node);
        let found = of_node.clone().find(|e| e.name == error || e.description == error);
        match found {
            Some(counter) => counter.count,
            None => panic!(
                "the node `{node}` has no error counter `{error}`{}; it has {}",
                hint(error, of_node.clone().map(|e| e.name.as_str())),
                of_node.map(|e| format!("`{}`", e.name)).collect::<Vec<_>>().join(", ")
            ),
        }
    }

    #[track_caller]
    fn known_node(&self, name: &str) {
        if self.node(name).is_none() {
            panic!("no node is called `{name}`{}", hint(name, self.nodes.iter().map(|n| n.name.as_str())));
        }
    }

    /// All error counters, also those that are 0.
    pub fn errors(&self) -> &[ErrorCount] {
        &self.errors
    }

    /// All nodes.
    pub fn nodes(&self) -> &[NodeStats] {
        &self.nodes
    }

    /// A node by its name.
    pub fn node(&self, name: &str) -> Option<&NodeStats> {
        self.nodes.iter().find(|n| n.name == name)
    }

    /// What the nodes recorded of the packets that were traced.
    pub fn traces(&self) -> &[Trace] {
        &self.traces
    }

    /// Rules of VPP's that nodes broke. A run that has any fails.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// What is worth knowing but no error.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What was written to VPP's log.
    pub fn log(&self) -> &[LogLine] {
        &self.log
    }

    /// Where every packet went.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The features that the plugins registered.
    pub fn plugin_features(&self) -> &[PluginFeature] {
        &self.plugin_features
    }

    /// The CLI commands that the plugins registered. The host has no CLI that would run them.
    pub fn cli_commands(&self) -> &[String] {
        &self.cli_commands
    }

    /// The features of an arc in their order, also those whose node this host does not have.
    pub fn features(&self, arc: &str) -> &[String] {
        self.arcs.get(arc).map_or(&[], Vec::as_slice)
    }

    /// How many packets of the input went into the graph.
    pub fn packets_in(&self) -> u64 {
        self.summary.read
    }

    /// Packets of the input that the capture has only a part of.
    pub fn cut_packets(&self) -> u64 {
        self.cut
    }

    /// Bytes of the input's packets.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How long the graph ran.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// How many clocks a second has, to turn clocks into time.
    pub fn clocks_per_second(&self) -> f64 {
        self.clocks_per_second
    }

    /// The same as data.
    pub fn to_json(&self) -> Value {
        let ended = |part: &[Ended], key: &str| -> Vec<Value> {
            part.iter()
                .map(|e| {
                    let mut v = json!({ key: e.node, "packets": e.packets });
                    if !e.reason.is_empty() {
                        v["reason"] = json!(e.reason);
                    }
                    v
                })
                .collect()
        };
        let s = &self.summary;
        json!({
            "vpp": self.release,
            "summary": {
                "read": s.read,
                "created": s.created,
                "cut": self.cut,
                "bytes": self.bytes,
                "forwarded": ended(&s.forwarded, "sink"),
                "dropped": ended(&s.dropped, "node"),
                "punted": ended(&s.punted, "node"),
                "freed": ended(&s.freed, "node"),
                "lost": ended(&s.lost, "node"),
            },
            "nodes": self.nodes.iter().filter(|n| n.calls > 0).map(|n| json!({
                "name": n.name,
                "plugin": n.plugin,
                "type": n.kind,
                "calls": n.calls,
                "vectors": n.vectors,
                "clocks": n.clocks,
                "next": n.next.iter().filter(|x| x.vectors > 0)
                    .map(|x| json!({ "node": x.node, "vectors": x.vectors })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "errors": self.errors.iter().filter(|e| e.count > 0).map(|e| json!({
                "node": e.node,
                "name": e.name,
                "description": e.description,
                "severity": e.severity,
                "count": e.count,
            })).collect::<Vec<_>>(),
            "traces": self.traces.iter().map(|t| json!({
                "packet": t.packet,
                "records": t.records.iter()
                    .map(|r| json!({ "node": r.node, "text": r.text })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "violations": self.violations.iter().map(|v| json!({
                "kind": format!("{:?}", v.kind),
                "node": v.node,
                "message": v.message,
                "count": v.count,
            })).collect::<Vec<_>>(),
            "warnings": self.warnings,
            "log": self.log.iter().map(|l| json!({
                "level": l.level, "class": l.class, "text": l.text,
            })).collect::<Vec<_>>(),
        })
    }
}
