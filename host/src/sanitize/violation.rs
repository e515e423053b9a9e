//! What is reported: which rule, which node, how often.

use std::fmt;

/// Which rule was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ViolationKind {
    /// A buffer was neither enqueued nor freed.
    Leak,
    /// A buffer was freed twice.
    DoubleFree,
    /// A buffer was freed after it was handed on.
    FreedInFlight,
    /// A buffer was enqueued twice.
    DoubleEnqueue,
    /// A free buffer was enqueued.
    EnqueuedFree,
    /// An index that is no buffer's was enqueued.
    NoBuffer,
    /// A buffer was enqueued to a next node that does not exist.
    NoNext,
    /// Something was written behind a buffer's room.
    Overrun,
    /// A buffer was changed after it was handed on.
    UseAfterEnqueue,
    /// A buffer was changed after it was freed.
    UseAfterFree,
    /// The packet is said to be where the buffer has no room.
    Bounds,
    /// A packet was enqueued to a feature, and its position on the arc is none from which it gets there: it went
    /// past the arc, or its position was changed.
    FeaturePosition,
    /// A frame has more than 256 vectors, or something was written behind them.
    FrameOverrun,
    /// A node wrote behind its 56 bytes of runtime data.
    RuntimeData,
    /// A trace record is longer than what VPP has room for.
    TraceRecord,
    /// A plugin did not withdraw a registration when it was unloaded.
    LeftBehind,
    /// A node's packets do not add up.
    Balance,
}

/// A rule of VPP's that a node broke.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Which rule.
    pub kind: ViolationKind,
    /// The node that broke it.
    pub node: String,
    /// What happened, the first time.
    pub message: String,
    /// How often it happened.
    pub count: u64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.node, self.message)?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}

/// The violations of a run, one for each kind and node.
#[derive(Default)]
pub(crate) struct Faults(Vec<(ViolationKind, u32, String, u64)>);

impl Faults {
    pub(crate) fn add(&mut self, kind: ViolationKind, node: u32, message: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|(k, n, ..)| (*k, *n) == (kind, node)) {
            Some((.., count)) => *count += 1,
            None => self.0.push((kind, node, message(), 1)),
        }
    }

    pub(crate) fn list(&self, name: impl Fn(u32) -> String) -> Vec<Violation> {
        self.0
            .iter()
            .map(|(kind, node, message, count)| Violation {
                kind: *kind,
                node: name(*node),
                message: message.clone(),
                count: *count,
            })
            .collect()
    }
}
