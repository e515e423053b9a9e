//! `llc-input`: frames with a length instead of a type (`vnet/llc/node.c`).

use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;

use super::{Errors, advance, error, per_packet, trace_headers};
use crate::buffers;
use crate::state::State;

pub(crate) static ERRORS: Errors<3> =
    Errors([error(c"no error"), error(c"unknown llc ssap/dsap"), error(c"control != 0x3")]);

pub(crate) const NEXTS: &[&str] = &["error-punt", "error-drop", "snap-input", "osi-input"];

const DROP: u16 = 1;
const SNAP: u16 = 2;
const OSI: u16 = 3;

/// The function of `llc-input`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn function(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function.
    unsafe {
        trace_headers(vm, rt, frame, 32);
        per_packet(vm, rt, frame, |b| {
            let [dst, _src, control] = buffers::header(b);
            advance(b, if control & 3 == 3 { 3 } else { 4 });
            let (next, error) = match dst {
                0xaa => (SNAP, 0),
                0x14 | 0x20 | 0x34 | 0xfe => (OSI, 0),
                _ => (DROP, 1),
            };
            (*b).error = *(*rt).errors.add(error);
            next
        })
    }
}

pub(crate) fn format(_: &State, record: &[u8]) -> String {
    match record {
        [dst, src, control, ..] => format!("LLC 0x{src:02x} -> 0x{dst:02x}, control 0x{control:02x}"),
        _ => String::new(),
    }
}
