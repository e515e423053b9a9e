//! The buffer ledger: who has each buffer, and what no node may do to it.
//!
//! A buffer is free, held by one node, or handed on to one. Nodes take and give through the pool, whose
//! callbacks tell the ledger, and through frames, which it checks when they are put and when they are
//! dispatched.
//!
//! Buffers that must not go on are taken out of the frame, and those behind them move up, before VPP's own rule
//! for the frame runs. So the next node sees a shorter frame, and a frame that is empty then is not dispatched. What is
//! counted afterwards, such as the vectors of each next node, does not count them.

mod checks;
mod ledger;
mod violation;

pub(crate) use checks::{
    alloc_callback, allocated, ended, finish, free_callback, freed, handed_on, injected, lose, received,
};
pub(crate) use ledger::{Ledger, biggest_holder};
pub(crate) use violation::Faults;
pub use violation::{Violation, ViolationKind};
