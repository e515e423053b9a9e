//! The host's own nodes. They use the same structures and functions as a plugin's.

use std::ffi::CStr;

use vppkit_sys::vlib::buffer::vlib_buffer_t;
use vppkit_sys::vlib::error::{VL_COUNTER_SEVERITY_ERROR, VL_COUNTER_SEVERITY_INFO, vlib_error_desc_t};
use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{
    VLIB_NODE_FLAG_TRACE, VLIB_NODE_FLAG_TRACE_SUPPORTED, VLIB_NODE_STATE_DISABLED, VLIB_NODE_TYPE_INPUT,
    VLIB_NODE_TYPE_INTERNAL, vlib_node_runtime_t,
};
use vppkit_sys::vnet::buffer::vnet_buffer_opaque_t;

use crate::error::GraphError;
use crate::frames::{enqueue_to_next, vectors};
use crate::graph::{self, Builtin};
use crate::state::{NO_NODE, runtime, state};
use crate::{buffers, trace};

pub(crate) mod drop;
pub(crate) mod ethernet_input;
pub(crate) mod header;
pub(crate) mod ip4_input;
pub(crate) mod ip6_input;
pub(crate) mod known;
pub(crate) mod llc_input;
pub(crate) mod pg_input;
pub(crate) mod sink;

/// `VLIB_NODE_FLAG_IS_OUTPUT`.
pub(crate) const FLAG_IS_OUTPUT: u16 = 1 << 1;
/// `VLIB_NODE_FLAG_IS_DROP`.
pub(crate) const FLAG_IS_DROP: u16 = 1 << 2;
/// `VLIB_NODE_FLAG_IS_PUNT`.
pub(crate) const FLAG_IS_PUNT: u16 = 1 << 3;

/// The interface that packets come from, and its name.
pub(crate) const INTERFACE: u32 = 1;
pub(crate) const INTERFACE_NAME: &str = "pg0";

/// Sinks that are always there: what follows the input nodes.
pub(crate) const SINKS: &[&str] = &[
    "ip4-lookup",
    "ip4-mfib-forward-lookup",
    "ip4-options",
    "ip4-icmp-error",
    "ip6-lookup",
    "ip6-mfib-forward-lookup",
    "ip6-icmp-error",
    "arp-input",
    "mpls-input",
    "interface-output",
];

/// A counter of severity error whose name is its description, as nodes with `error_strings` have.
pub(crate) const fn error(text: &'static CStr) -> vlib_error_desc_t {
    counter(text, text, VL_COUNTER_SEVERITY_ERROR)
}

pub(crate) const fn info(name: &'static CStr, description: &'static CStr) -> vlib_error_desc_t {
    counter(name, description, VL_COUNTER_SEVERITY_INFO)
}

pub(crate) const fn counter(
    name: &'static CStr,
    description: &'static CStr,
    severity: u32,
) -> vlib_error_desc_t {
    vlib_error_desc_t { name: name.as_ptr(), desc: description.as_ptr(), severity, stats_entry_index: 0 }
}

/// A table of counters, which only holds the addresses of constant strings.
pub(crate) struct Errors<const N: usize>(pub(crate) [vlib_error_desc_t; N]);

// SAFETY: the strings are constant.
unsafe impl<const N: usize> Sync for Errors<N> {}

const INTERNAL: Builtin = Builtin {
    name: "",
    function: null_node,
    r#type: VLIB_NODE_TYPE_INTERNAL,
    flags: 0,
    scalar_size: 0,
    errors: &[],
    nexts: &[],
    sibling_of: None,
    format: None,
};

/// Registers all of them. Node 0 is none that packets go to, as in VPP.
///
/// # Safety
/// `vm` is the host's and has no nodes.
pub(crate) unsafe fn register(vm: *mut vlib_main_t) -> Result<(), GraphError> {
    static NULL_ERRORS: Errors<1> = Errors([error(c"blackholed packets")]);
    let input = Builtin { r#type: VLIB_NODE_TYPE_INPUT, ..INTERNAL };
    let builtins = [
        Builtin { name: "null-node", errors: &NULL_ERRORS.0, ..INTERNAL },
        Builtin { name: "device-input", function: device_input, nexts: pg_input::NEXTS, ..input },
        Builtin {
            name: "pg-input",
            function: pg_input::function,
            flags: VLIB_NODE_FLAG_TRACE_SUPPORTED,
            sibling_of: Some("device-input"),
            errors: &pg_input::ERRORS.0,
            format: Some(pg_input::format),
            ..input
        },
        Builtin {
            name: "ethernet-input",
            function: ethernet_input::function,
            scalar_size: 8,
            errors: &ethernet_input::ERRORS.0,
            nexts: ethernet_input::NEXTS,
            format: Some(ethernet_input::format),
            ..INTERNAL
        },
        Builtin {
            name: "llc-input",
            function: llc_input::function,
            errors: &llc_input::ERRORS.0,
            nexts: llc_input::NEXTS,
            format: Some(llc_input::format),
            ..INTERNAL
        },
        Builtin {
            name: "ip4-input",
            function: ip4_input::function,
            errors: &ip4_input::ERRORS.0,
            nexts: ip4_input::NEXTS,
            format: Some(header::ip4),
            ..INTERNAL
        },
        Builtin {
            name: "ip4-input-no-checksum",
            function: ip4_input::function_no_checksum,
            sibling_of: Some("ip4-input"),
            format: Some(header::ip4),
            ..INTERNAL
        },
        Builtin {
            name: "ip6-input",
            function: ip6_input::function,
            errors: &ip6_input::ERRORS.0,
            nexts: ip6_input::NEXTS,
            format: Some(header::ip6),
            ..INTERNAL
        },
        Builtin {
            name: "error-drop",
            function: drop::error_drop,
            flags: VLIB_NODE_FLAG_TRACE_SUPPORTED,
            nexts: &["drop"],
            format: Some(drop::format_interface),
            ..INTERNAL
        },
        Builtin {
            name: "error-punt",
            function: drop::error_punt,
            flags: VLIB_NODE_FLAG_TRACE_SUPPORTED,
            nexts: &["punt"],
            format: Some(drop::format_interface),
            ..INTERNAL
        },
        Builtin {
            name: "drop",
            function: drop::drop,
            flags: FLAG_IS_DROP,
            format: Some(drop::format_error),
            ..INTERNAL
        },
        Builtin {
            name: "punt",
            function: drop::punt,
            flags: FLAG_IS_PUNT,
            format: Some(drop::format_error),
            ..INTERNAL
        },
    ];
    // SAFETY: by contract.
    unsafe {
        for builtin in &builtins {
            graph::register_builtin(vm, builtin)?;
        }
        for sink in SINKS {
            graph::register_sink(vm, sink)?;
        }
        if let Some(&index) = state(vm).by_name.get("device-input") {
            (*runtime(vm, index)).state = VLIB_NODE_STATE_DISABLED;
        }
    }
    Ok(())
}

/// Frees what it gets.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
unsafe extern "C" fn null_node(
    vm: *mut vlib_main_t,
    _rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: the frame is this node's.
    unsafe {
        let n = usize::from((*frame).n_vectors);
        buffers::free(vm, std::slice::from_raw_parts(vectors(frame), n));
        n
    }
}

/// Does nothing: it is there for its next nodes.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
unsafe extern "C" fn device_input(
    _vm: *mut vlib_main_t,
    _rt: *mut vlib_node_runtime_t,
    _frame: *mut vlib_frame_t,
) -> usize {
    0
}

/// The part of a buffer's metadata that vnet uses.
///
/// # Safety
/// `b` is a buffer.
pub(crate) unsafe fn opaque(b: *mut vlib_buffer_t) -> *mut vnet_buffer_opaque_t {
    // SAFETY: by contract.
    unsafe { (&raw mut (*b).opaque).cast() }
}

/// Moves the start of a packet by `n` bytes, at most to its end. VPP does not check that; a packet that is
/// shorter than its headers then seems to have 64 kilobytes.
///
/// # Safety
/// `b` is a buffer.
pub(crate) unsafe fn advance(b: *mut vlib_buffer_t, n: usize) {
    // SAFETY: by contract.
    unsafe {
        let n = n.min(usize::from((*b).current_length));
        (*b).current_data += n as i16;
        (*b).current_length -= n as u16;
    }
}

/// Gives each packet of a frame to `decide`, which says where it goes and why, and hands all on.
///
/// # Safety
/// Called from a node's function with its arguments. `decide` only touches the buffer.
pub(crate) unsafe fn per_packet(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
    mut decide: impl FnMut(*mut vlib_buffer_t) -> u16,
) -> usize {
    // SAFETY: by contract.
    unsafe {
        let n = usize::from((*frame).n_vectors);
        let indices = vectors(frame);
        let mut nexts = [0_u16; 256];
        for (i, next) in nexts.iter_mut().enumerate().take(n) {
            *next = decide(buffers::get(vm, *indices.add(i)));
        }
        enqueue_to_next(vm, rt, indices, nexts.as_mut_ptr(), n);
        n
    }
}

/// Records the first `len` bytes of each traced packet: VPP's `vlib_trace_frame_buffers_only`.
///
/// # Safety
/// Called from a node's function with its arguments.
pub(crate) unsafe fn trace_headers(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
    len: usize,
) {
    // SAFETY: by contract.
    unsafe { trace_headers_and(vm, rt, frame, len, &[]) };
}

/// The same, with more behind them.
///
/// # Safety
/// Called from a node's function with its arguments.
pub(crate) unsafe fn trace_headers_and(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
    len: usize,
    more: &[u8],
) {
    // SAFETY: by contract.
    unsafe {
        if (*rt).flags & VLIB_NODE_FLAG_TRACE == 0 {
            return;
        }
        for i in 0..usize::from((*frame).n_vectors) {
            let b = buffers::get(vm, *vectors(frame).add(i));
            if (*b).flags & vppkit_sys::vlib::buffer::VLIB_BUFFER_IS_TRACED == 0 {
                continue;
            }
            let record = trace::add_trace(vm, rt, b.cast(), (len + more.len()) as u32).cast::<u8>();
            record.write_bytes(0, len);
            let bytes = buffers::current(b);
            let n = bytes.len().min(len);
            record.copy_from_nonoverlapping(bytes.as_ptr(), n);
            record.add(len).copy_from_nonoverlapping(more.as_ptr(), more.len());
        }
    }
}

/// The errors of a node's own, or of the node whose sibling it is.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn errors_of(vm: *mut vlib_main_t, name: &str) -> *mut u16 {
    // SAFETY: by contract.
    unsafe {
        let index = state(vm).by_name.get(name).copied().unwrap_or(NO_NODE);
        if index == NO_NODE { std::ptr::null_mut() } else { (*runtime(vm, index)).errors }
    }
}
