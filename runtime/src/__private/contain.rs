//! A panic in a node costs the rest of its frame and a counter, not the process.
//!
//! The loop notes how far it is in a register; only unwinding writes it to memory. So containment is one landing pad
//! for each frame and nothing for each packet.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::__private::dispatch::Call;
use crate::__private::format::name;
use crate::error::NodeErrors;
use crate::node::PacketNode;
use crate::verdict::drop_index;

/// How far the loop is. Dropped at its end, or when it unwinds: then it tells.
pub(crate) struct Progress<'call> {
    pub(crate) at: usize,
    done: &'call mut usize,
}

impl<'call> Progress<'call> {
    #[inline(always)]
    pub(crate) fn new(done: &'call mut usize) -> Self {
        Self { at: 0, done }
    }
}

impl Drop for Progress<'_> {
    // Inlined so that `at` can stay in a register.
    #[inline(always)]
    fn drop(&mut self) {
        *self.done = self.at;
    }
}

/// Runs the loop. If it panics, `None`, and `call.done` says how many packets have a next index.
#[inline(always)]
pub(crate) fn run(call: &mut Call, decide: impl FnOnce(&mut Call) -> Option<u16>) -> Option<u16> {
    // What the panic left half done is the packet that it was at, which is dropped.
    match catch_unwind(AssertUnwindSafe(|| decide(call))) {
        Ok(single) => single,
        Err(payload) => {
            // The hook has printed the message. Dropping the payload may run the author's code once more.
            core::mem::forget(payload);
            None
        }
    }
}

/// Sends the packets that have no next index to `error-drop`, counted as panic.
#[cold]
pub(crate) fn drop_rest<N: PacketNode>(call: &mut Call) {
    // SAFETY: `errors` has an entry for each of the node's counters, and the one for panics behind them.
    let panic = unsafe { *(*call.runtime.as_ptr()).errors.add(N::Errors::COUNTERS.len()) };
    // The hook has printed the message, which does not name the node.
    eprintln!(
        "node `{}` panicked: the last {} packets of its frame are dropped",
        name(N::NAME),
        call.count - call.done
    );
    for at in call.done..call.count {
        // SAFETY: a buffer of the frame, which has not been enqueued.
        unsafe { (*call.buffer(at)).error = panic };
        call.set_next(at, const { drop_index::<N>() });
    }
    call.done = call.count;
}
