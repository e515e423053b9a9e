//! What can go wrong, one sentence each.

use std::path::PathBuf;
use std::{fmt, io};

use crate::report::Report;

/// Why a run failed. It looks the same with `{}` and `{:?}`, so that a test that unwraps it is readable.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The release's name is not one of the supported ones.
    #[error("{0}")]
    UnknownRelease(String),
    /// The same thread already runs a host.
    #[error("this thread already runs a host; VPP's state is one per process, so one host runs at a time")]
    AlreadyRunning,
    /// The embedded symbols could not be loaded.
    #[error("VPP's symbols cannot be loaded into this process: {0}")]
    Exports(String),
    /// A plugin was not loaded.
    #[error("{plugin}: {reason}")]
    Plugin {
        /// The file, or the name of a linked plugin.
        plugin: String,
        /// What is wrong with it.
        reason: PluginError,
    },
    /// Nodes, features or init functions do not fit together.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A node that a caller named does not exist.
    #[error("no node is called `{name}`{hint}")]
    NoSuchNode {
        /// The name.
        name: String,
        /// The nearest name that exists.
        hint: String,
    },
    /// A capture ended early or is none. Packets before the damage went through the graph.
    #[error("{error}")]
    Capture {
        /// What is wrong with the capture.
        error: CaptureError,
        /// What happened to the packets before.
        report: Option<Box<Report>>,
    },
    /// A node broke a rule of VPP's.
    #[error("{}", list(.report))]
    Violations {
        /// Everything else about the run; [`Report::violations`] is not empty.
        report: Box<Report>,
    },
    /// All buffers are in use.
    #[error(
        "all {total} buffers are in use{holder}; a node keeps packets, or the host needs more of them (Host::buffers)"
    )]
    OutOfBuffers {
        /// How many there are.
        total: u32,
        /// Who keeps most of them.
        holder: String,
    },
    /// A callback of the caller's reported an error.
    #[error(transparent)]
    Output(io::Error),
    /// The plugin that a test is about was not found.
    #[error("{0}")]
    NotBuilt(String),
}

fn list(report: &Report) -> String {
    let violations = report.violations();
    let mut text = match violations.len() {
        1 => String::from("the run broke a rule of VPP's:"),
        n => format!("the run broke rules of VPP's {n} times:"),
    };
    for violation in violations.iter().take(10) {
        text.push_str("\n  ");
        text.push_str(&violation.to_string());
    }
    if violations.len() > 10 {
        text.push_str("\n  ...");
    }
    text
}

impl fmt::Debug for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl HostError {
    /// What happened before the error, if packets were processed.
    pub fn report(&self) -> Option<&Report> {
        match self {
            HostError::Capture { report, .. } => report.as_deref(),
            HostError::Violations { report } => Some(report),
            _ => None,
        }
    }
}

/// Why a plugin was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PluginError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// It is no shared object.
    #[error("no shared object: {0}")]
    NotElf(String),
    /// It is for another CPU.
    #[error("built for {found}, this host is {expected}")]
    Machine {
        /// What the file says.
        found: String,
        /// What this program runs on.
        expected: &'static str,
    },
    /// It does not introduce itself.
    #[error(
        "no VPP plugin: section `.vlib_plugin_registration` is missing; was it built with #[vlib_plugin] and crate-type cdylib?"
    )]
    NoRegistration,
    /// Its introduction has another size.
    #[error("section `.vlib_plugin_registration` has {found} bytes, VPP expects {expected}")]
    RegistrationSize {
        /// What the file has.
        found: u64,
        /// What VPP expects.
        expected: usize,
    },
    /// VPP reads this section without looking whether it is there.
    #[error("section `.rodata` is missing; VPP reads it without checking and would crash")]
    NoRodata,
    /// It wants another VPP.
    #[error("wants VPP `{required}`, this is `{running}`")]
    Version {
        /// What it wants; a prefix.
        required: String,
        /// The version that this host imitates.
        running: String,
    },
    /// It uses functions or data that the host does not have.
    #[error("uses symbols that this host does not have: {}", .0.join(", "))]
    Symbols(Vec<String>),
    /// The dynamic loader refused it.
    #[error("{0}")]
    Load(String),
    /// Its own early initialization refused.
    #[error("refused to load: {0}")]
    EarlyInit(String),
    /// A linked plugin refused.
    #[error("{0}")]
    Linked(String),
}

/// The nearest name or, if none is near, all of them.
fn or_all(hint: &str, all: &[String]) -> String {
    if hint.is_empty() { format!("; arcs are {}", all.join(", ")) } else { hint.into() }
}

/// Why the graph could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// Two nodes have one name.
    #[error("node `{name}` is registered by {first} and by {second}")]
    DuplicateNode {
        /// The name.
        name: String,
        /// Who was first.
        first: String,
        /// Who came later.
        second: String,
    },
    /// A plugin's node has the name of one of VPP's own.
    #[error(
        "node `{name}` of `{plugin}` is one of VPP's own: VPP ends when a name is used twice; \
         give yours another in #[vlib_node]"
    )]
    NodeOfVpp {
        /// The name.
        name: String,
        /// The plugin.
        plugin: String,
    },
    /// A next node's name is nearly a known one.
    #[error("next node `{next}` of `{node}` is not known; did you mean `{nearest}`?")]
    MisspeltNext {
        /// The node.
        node: String,
        /// The unknown name.
        next: String,
        /// The known name.
        nearest: String,
    },
    /// The node's sibling does not exist.
    #[error("node `{node}` is a sibling of `{sibling}`, which is not known{hint}")]
    NoSibling {
        /// The node.
        node: String,
        /// Its sibling.
        sibling: String,
        /// The nearest name.
        hint: String,
    },
    /// A node has no function.
    #[error("node `{node}` has no function that this CPU can run; VPP would jump to address 0")]
    NoFunction {
        /// The node.
        node: String,
    },
    /// A variant number that this release does not have.
    #[error(
        "node `{node}` registers a function for march variant {index}, but VPP {release} has only {count}"
    )]
    Variant {
        /// The node.
        node: String,
        /// The number.
        index: u32,
        /// The release.
        release: &'static str,
        /// How many variants it has.
        count: usize,
    },
    /// Something in the registration is out of bounds.
    #[error("node `{node}`: {what}")]
    Registration {
        /// The node.
        node: String,
        /// What is wrong.
        what: String,
    },
    /// A feature on an arc that does not exist.
    #[error("feature `{node}` is for arc `{arc}`, which is not known{}", or_all(.hint, .arcs))]
    UnknownArc {
        /// The feature's node.
        node: String,
        /// The arc.
        arc: String,
        /// The nearest arc.
        hint: String,
        /// All arcs.
        arcs: Vec<String>,
    },
    /// No order satisfies all constraints.
    #[error("arc `{arc}`: no order satisfies the constraints of {}", .nodes.join(", "))]
    FeatureCycle {
        /// The arc.
        arc: String,
        /// The features that wait for each other.
        nodes: Vec<String>,
    },
    /// A feature that is to run behind the end of its arc.
    #[error("`{node}` is to run after `{last}`, which is the last on the arc `{arc}`")]
    AfterLast {
        /// The arc.
        arc: String,
        /// The feature's node.
        node: String,
        /// The last node of the arc.
        last: String,
    },
    /// No feature of that name is on the arc.
    #[error("feature `{node}` cannot be enabled on arc `{arc}`: {why}")]
    Enable {
        /// The arc.
        arc: String,
        /// The feature's node.
        node: String,
        /// The reason.
        why: String,
    },
    /// No order satisfies all constraints.
    #[error("no order satisfies the constraints of the init functions {}", .0.join(", "))]
    InitCycle(Vec<String>),
    /// An init function failed.
    #[error("init function `{function}` failed: {what}")]
    Init {
        /// Its name.
        function: String,
        /// Its error.
        what: String,
    },
}

/// What is wrong with a capture. It looks the same with `{}` and `{:?}`, so that `?` in a test is readable.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// It cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is neither pcap nor pcapng.
    #[error("{}: not a capture: {why}", .path.display())]
    NotACapture {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        why: String,
    },
    /// The packets are not Ethernet frames.
    #[error("{}: link type {link_type}, only Ethernet captures can be played", .path.display())]
    LinkType {
        /// The file.
        path: PathBuf,
        /// Name and number.
        link_type: String,
    },
    /// The file ends in the middle of a packet.
    #[error("{}: truncated: packet {packet} starts at byte {offset} and the file ends in the middle of it", .path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Where the last packet starts.
        offset: u64,
        /// Its number, from 1.
        packet: u64,
    },
    /// The file is damaged.
    #[error("{}: damaged at byte {offset}, in packet {packet}: {why}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// The packet's number, from 1.
        packet: u64,
        /// What is wrong.
        why: String,
    },
}

impl fmt::Debug for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
