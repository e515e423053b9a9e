//! `ethernet-input` for one promiscuous interface with no sub-interfaces (`vnet/ethernet/node.c`).

use vppkit_sys::vlib::buffer::vlib_buffer_t;
use vppkit_sys::vlib::frame::{VLIB_FRAME_NO_APPEND, vlib_frame_t};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;
use vppkit_sys::vnet::buffer::{
    VNET_BUFFER_F_L2_HDR_OFFSET_VALID, VNET_BUFFER_F_L3_HDR_OFFSET_VALID, VNET_BUFFER_F_VLAN_1_DEEP,
    VNET_BUFFER_F_VLAN_2_DEEP,
};

use super::{Errors, INTERFACE, advance, error, header, opaque, per_packet, trace_headers_and};
use crate::buffers;
use crate::state::State;

pub(crate) static ERRORS: Errors<6> = Errors([
    error(c"no error"),
    error(c"llc length > packet length"),
    error(c"unknown ethernet type"),
    error(c"unknown vlan"),
    error(c"l3 mac mismatch"),
    error(c"subinterface down"),
]);

const NO_ERROR: usize = 0;
const UNKNOWN_TYPE: usize = 2;
const UNKNOWN_VLAN: usize = 3;

pub(crate) const NEXTS: &[&str] = &[
    "error-punt",
    "error-drop",
    "llc-input",
    "ip4-input",
    "ip4-input-no-checksum",
    "ip6-input",
    "arp-input",
    "mpls-input",
];

const PUNT: u16 = 0;
const DROP: u16 = 1;
const LLC: u16 = 2;
const IP4: u16 = 3;
const IP6: u16 = 5;
const ARP: u16 = 6;
const MPLS: u16 = 7;

const HEADER: usize = 14;
const TAG: usize = 4;

/// `ETH_INPUT_FRAME_F_SINGLE_SW_IF_IDX`: all packets of a frame are from the interface that the frame names.
const SINGLE_INTERFACE: u16 = 1;

/// Bytes of a packet in a trace record. Behind them: the frame's flags and its two interface indices.
const TRACED: usize = 32;

/// Whether VPP takes a type for a VLAN tag in a frame whose packets are all from one interface.
pub(crate) fn is_tag(r#type: u16) -> bool {
    matches!(r#type, 0x8100 | 0x88a8)
}

/// Whether VPP takes a type for a VLAN tag in the first place of any other frame.
fn is_any_tag(r#type: u16) -> bool {
    is_tag(r#type) || matches!(r#type, 0x9100 | 0x9200)
}

/// Makes a frame one whose packets are all from the interface, as input nodes do. No other node adds to it.
///
/// # Safety
/// `frame` is one for `ethernet-input` that holds no packets of other nodes.
pub(crate) unsafe fn mark_single_interface(frame: *mut vlib_frame_t) {
    // SAFETY: the node has 8 bytes of scalar arguments.
    unsafe {
        (*frame).flags = SINGLE_INTERFACE;
        (*frame).frame_flags |= VLIB_FRAME_NO_APPEND;
        scalar(frame).write_unaligned([INTERFACE; 2]);
    }
}

/// `ethernet_input_frame_t`: the indices of the interface and of its hardware.
///
/// # Safety
/// `frame` is one for `ethernet-input`.
unsafe fn scalar(frame: *mut vlib_frame_t) -> *mut [u32; 2] {
    // SAFETY: by contract.
    unsafe { frame.cast::<u8>().add(usize::from((*frame).scalar_offset)).cast() }
}

/// The function of `ethernet-input`.
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
        let flags = (*frame).flags;
        let single = flags & SINGLE_INTERFACE != 0;
        let [interface, hardware] = scalar(frame).read_unaligned();
        let more = [u32::from(flags), interface, hardware].map(u32::to_ne_bytes);
        trace_headers_and(vm, rt, frame, TRACED, more.as_flattened());
        per_packet(vm, rt, frame, |b| {
            let (next, error) = decide(b, single);
            if let Some(error) = error {
                (*b).error = *(*rt).errors.add(error);
            }
            next
        })
    }
}

/// Where a packet goes, and what is written as its error: if all packets of the frame are from one interface, VPP only
/// writes those of tagged packets. The others keep what they have, which in a fresh buffer is the one of `null-node`.
/// Moves the packet behind the header.
///
/// # Safety
/// `b` is a buffer.
unsafe fn decide(b: *mut vlib_buffer_t, single: bool) -> (u16, Option<usize>) {
    // SAFETY: as for `function`.
    unsafe {
        let header: [u8; HEADER + 3 * TAG] = buffers::header(b);
        let word = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
        (*opaque(b)).l2_hdr_offset = (*b).current_data;
        (*b).flags |= VNET_BUFFER_F_L2_HDR_OFFSET_VALID as u32;
        advance(b, HEADER);
        let mut r#type = word(12);
        let tagged = if single { is_tag(r#type) } else { is_any_tag(r#type) };
        let mut error = NO_ERROR;
        if tagged {
            let outer = word(14) & 0xfff;
            let mut tags = 1;
            r#type = word(16);
            advance(b, TAG);
            while r#type == 0x8100 && tags < 3 {
                r#type = word(16 + tags * TAG);
                advance(b, TAG);
                tags += 1;
            }
            set_vlan_count(b, tags);
            // A single tag with id 0 only carries a priority: the packet is the interface's own.
            if tags > 1 || outer != 0 {
                error = UNKNOWN_VLAN;
            }
        } else {
            set_vlan_count(b, 0);
        }
        (*opaque(b)).l3_hdr_offset = (*b).current_data;
        (*b).flags |= VNET_BUFFER_F_L3_HDR_OFFSET_VALID as u32;
        let (next, error) = match r#type {
            _ if error != NO_ERROR => (DROP, error),
            0x0800 => (IP4, NO_ERROR),
            0x86dd => (IP6, NO_ERROR),
            0x8847 => (MPLS, NO_ERROR),
            0x0806 => (ARP, NO_ERROR),
            0x8870 => (LLC, NO_ERROR),
            ..0x0600 => (LLC, if single { NO_ERROR } else { UNKNOWN_TYPE }),
            _ => (PUNT, UNKNOWN_TYPE),
        };
        (next, (!single || tagged && error != NO_ERROR).then_some(error))
    }
}

/// Marks how many tags a packet has.
///
/// # Safety
/// `b` is a buffer.
unsafe fn set_vlan_count(b: *mut vlib_buffer_t, tags: usize) {
    let (one, two) = (VNET_BUFFER_F_VLAN_1_DEEP as u32, VNET_BUFFER_F_VLAN_2_DEEP as u32);
    let flags = [0, one, two, one | two][tags.min(3)];
    // SAFETY: as for `function`.
    unsafe { (*b).flags = (*b).flags & !(one | two) | flags };
}

/// What the node records: the frame, if it names an interface, and the header.
pub(crate) fn format(_: &State, record: &[u8]) -> String {
    let word = |i: usize| {
        let at = TRACED + 4 * i;
        record.get(at..at + 4).map_or(0, |r| u32::from_ne_bytes([r[0], r[1], r[2], r[3]]))
    };
    let packet = header::ethernet(record.get(..TRACED).unwrap_or_default());
    match word(0) {
        0 => packet,
        flags => {
            let (interface, hardware) = (word(1), word(2));
            format!("frame: flags 0x{flags:x}, hw-if-index {hardware}, sw-if-index {interface}\n  {packet}")
        }
    }
}
