//! `pg-input`: makes packets of the input enter the graph (`vnet/pg/input.c`).

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use vppkit_sys::vlib::buffer::{
    VLIB_BUFFER_NEXT_PRESENT, VLIB_BUFFER_PRE_DATA_SIZE, VLIB_BUFFER_TOTAL_LENGTH_VALID, vlib_buffer_t,
};
use vppkit_sys::vlib::frame::{VLIB_FRAME_SIZE, VLIB_FRAME_TRACE, vlib_frame_t};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;
use vppkit_sys::vnet::buffer::{VNET_BUFFER_F_L2_HDR_OFFSET_VALID, VNET_BUFFER_F_L3_HDR_OFFSET_VALID};

use super::ethernet_input::{self, is_tag};
use super::{Errors, INTERFACE, INTERFACE_NAME, error, header, opaque};
use crate::error::{CaptureError, HostError};
use crate::frames::{enqueue_to_next, get_frame_to_node, put_frame_to_node, vectors};
use crate::packets::{Packets, RawPacket};
use crate::state::{State, state};
use crate::vm::Vm;
use crate::{buffers, features, sanitize, trace};

/// VPP's has no counters. Network cards drop such frames, so no node expects them.
pub(crate) static ERRORS: Errors<1> = Errors([error(c"shorter than an Ethernet header")]);

/// The next nodes of `device-input`.
pub(crate) const NEXTS: &[&str] = &[
    "ip4-input-no-checksum",
    "ip4-input",
    "ip6-input",
    "mpls-input",
    "ethernet-input",
    "error-drop",
    "ip4-drop",
    "ip6-drop",
    "punt-dispatch",
];

/// Indices among them.
const NEXT_ETHERNET: u16 = 4;
const NEXT_DROP: u16 = 5;

const HEADER: usize = 14;

/// Packets that wait, and the node that they go to; `None` for the interface.
pub(crate) struct Job {
    pub(crate) packets: Packets,
    pub(crate) at: Option<u32>,
}

/// A function that is told of progress: bytes read, and in all.
pub(crate) type OnProgress = Box<dyn FnMut(u64, Option<u64>)>;

/// What goes into the graph.
#[derive(Default)]
pub(crate) struct Input {
    pub(crate) jobs: VecDeque<Job>,
    /// The index of the next packet.
    pub(crate) next: u64,
    /// Packets that the capture has only a part of.
    pub(crate) cut: u64,
    pub(crate) bytes: u64,
    /// How many more packets to trace.
    pub(crate) trace: usize,
    /// The indices of those that are traced.
    pub(crate) traced: Vec<u64>,
    pub(crate) error: Option<CaptureError>,
    pub(crate) on_progress: Option<OnProgress>,
    pub(crate) done_bytes: u64,
}

impl Input {
    /// Whether nothing more comes.
    pub(crate) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Up to a frame of packets for one node.
    fn take(&mut self) -> (Vec<RawPacket>, Option<u32>, bool) {
        let mut packets = Vec::new();
        let Some(job) = self.jobs.front_mut() else { return (packets, None, false) };
        let (at, layer3) = (job.at, job.packets.past_ethernet);
        while packets.len() < VLIB_FRAME_SIZE {
            match job.packets.source.next() {
                Ok(Some(packet)) => packets.push(packet),
                Ok(None) => {
                    self.done_bytes += job.packets.source.progress().0;
                    self.jobs.pop_front();
                    break;
                }
                Err(error) => {
                    self.error = Some(error);
                    self.jobs.clear();
                    break;
                }
            }
        }
        (packets, at, layer3)
    }
}

/// The function of `pg-input`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn function(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    _frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function; no reference to the state lives while a callback runs.
    unsafe {
        let (packets, at, layer3) = state(vm).input.take();
        let mut indices = Vec::with_capacity(packets.len());
        let mut nexts = Vec::with_capacity(packets.len());
        let mut traced = false;
        let arc = state(vm).arcs.iter().position(|a| a.name == "device-input");
        let arc = arc.and_then(|a| Some((a, features::start(vm, a, INTERFACE)?)));
        for packet in &packets {
            let Some(index) = fill(vm, packet) else { break };
            let b = buffers::get(vm, index);
            let mut st = state(vm);
            let id = st.input.next;
            st.input.next += 1;
            st.input.bytes += packet.bytes.len() as u64;
            st.input.cut += u64::from(packet.original_length > packet.bytes.len());
            st.outcomes.read += 1;
            drop(st);
            sanitize::injected(Vm::new(vm), index, id, packet.time.as_nanos() as u64);
            let mut next = NEXT_ETHERNET;
            if packet.bytes.len() < HEADER && at.is_none() {
                (*b).error = *(*rt).errors;
                next = NEXT_DROP;
            } else if let (None, Some((arc, (first, position)))) = (at, arc) {
                features::set_position(vm, b, arc as u8, position);
                next = first as u16;
            }
            if layer3 {
                skip_ethernet(b, &packet.bytes);
            }
            if let Some(node) = at
                && let Some((arc, position)) = features::position_at(vm, node, INTERFACE)
            {
                features::set_position(vm, b, arc, position);
            }
            if state(vm).input.trace > 0 {
                traced = true;
                start_trace(vm, rt, b, (u32::from(next), at), id);
            }
            indices.push(index);
            nexts.push(next);
        }
        // Enqueueing may read a little behind the last next.
        nexts.resize(nexts.len() + 64, 0);
        match at {
            None => {
                enqueue_to_next(vm, rt, indices.as_mut_ptr(), nexts.as_mut_ptr(), indices.len());
                if nexts[..indices.len()].contains(&NEXT_ETHERNET)
                    && let Some(frame) =
                        Vm::new(vm).runtime((*rt).node_index).next_frame(NEXT_ETHERNET.into()).frame()
                {
                    ethernet_input::mark_single_interface(frame.ptr());
                }
            }
            Some(node) if !indices.is_empty() => {
                let frame = get_frame_to_node(vm, node);
                vectors(frame).copy_from_nonoverlapping(indices.as_ptr(), indices.len());
                (*frame).n_vectors = indices.len() as u16;
                if traced {
                    (*frame).frame_flags |= VLIB_FRAME_TRACE;
                }
                if state(vm).name(node) == "ethernet-input" {
                    ethernet_input::mark_single_interface(frame);
                }
                put_frame_to_node(vm, node, frame);
            }
            Some(_) => {}
        }
        report_progress(vm);
        indices.len()
    }
}

/// Tells the test how far the input is.
///
/// # Safety
/// `vm` is the host's.
unsafe fn report_progress(vm: *mut vlib_main_t) {
    // SAFETY: as for `function`.
    unsafe {
        let mut st = state(vm);
        let input = &mut st.input;
        let (read, total) = match input.jobs.front() {
            Some(job) => job.packets.source.progress(),
            None => (0, Some(0)),
        };
        let done = input.done_bytes;
        if let Some(mut on_progress) = input.on_progress.take() {
            drop(st);
            on_progress(done + read, total.map(|t| done + t));
            state(vm).input.on_progress = Some(on_progress);
        }
    }
}

/// Puts a packet into as many buffers as it needs.
///
/// # Safety
/// `vm` is the host's.
unsafe fn fill(vm: *mut vlib_main_t, packet: &RawPacket) -> Option<u32> {
    // SAFETY: as for `function`.
    unsafe {
        let room = state(vm).pool.data_size;
        let n = packet.bytes.len().div_ceil(room).max(1);
        let mut chain = vec![0; n];
        let got = buffers::alloc(vm, &mut chain);
        if got < n {
            buffers::free(vm, &chain[..got]);
            let mut st = state(vm);
            let holder = sanitize::biggest_holder(&st)
                .map(|(name, n)| format!(", {n} of them by `{name}`"))
                .unwrap_or_default();
            let total = st.pool.count as u32;
            st.fatal.get_or_insert(HostError::OutOfBuffers { total, holder });
            st.input.jobs.clear();
            return None;
        }
        let mut rest = packet.bytes.as_slice();
        for (i, &index) in chain.iter().enumerate() {
            let b = buffers::get(vm, index);
            let here = rest.len().min(room);
            b.cast::<u8>().add(size_of::<vlib_buffer_t>()).copy_from_nonoverlapping(rest.as_ptr(), here);
            rest = &rest[here..];
            (*b).current_data = 0;
            (*b).current_length = here as u16;
            if let Some(&next) = chain.get(i + 1) {
                (*b).next_buffer = next;
                (*b).flags |= VLIB_BUFFER_NEXT_PRESENT;
            }
        }
        let first = buffers::get(vm, chain[0]);
        (*first).total_length_not_including_first_buffer =
            (packet.bytes.len() - usize::from((*first).current_length)) as u32;
        if n > 1 {
            (*first).flags |= VLIB_BUFFER_TOTAL_LENGTH_VALID;
        }
        let meta = opaque(first);
        (*meta).sw_if_index = [INTERFACE, !0];
        (*meta).l2_hdr_offset = 0;
        (*first).flags |= VNET_BUFFER_F_L2_HDR_OFFSET_VALID as u32;
        Some(chain[0])
    }
}

/// Puts a packet where `ethernet-input` leaves it: at the header behind Ethernet's and its tags.
///
/// # Safety
/// `b` is a buffer with the packet `bytes`.
unsafe fn skip_ethernet(b: *mut vlib_buffer_t, bytes: &[u8]) {
    let mut at = 12;
    while bytes.get(at..at + 2).is_some_and(|t| is_tag(u16::from_be_bytes([t[0], t[1]]))) {
        at += 4;
    }
    // SAFETY: as for `function`.
    unsafe {
        super::advance(b, at + 2);
        (*opaque(b)).l3_hdr_offset = (*b).current_data;
        (*b).flags |= VNET_BUFFER_F_L3_HDR_OFFSET_VALID as u32;
    }
}

/// Bytes of a packet in a trace record: VPP keeps as many as a buffer has before its data.
const TRACED: usize = VLIB_BUFFER_PRE_DATA_SIZE;

/// What a trace record begins with; the first bytes of the packet follow.
#[repr(C)]
struct Record {
    length: u32,
    next: u32,
    /// The node that the packet is injected at, or !0.
    at: u32,
    current_data: i32,
    current_length: u32,
    ref_count: u32,
    /// Whether more buffers follow, and their bytes.
    chain: [u32; 2],
    trace_handle: u32,
}

/// How many numbers a record has.
const NUMBERS: usize = size_of::<Record>() / 4;

/// Traces a packet from here on. `to` is the next index, and the node instead of it.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it with a next node `to.0`, `b` a buffer.
unsafe fn start_trace(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    b: *mut vlib_buffer_t,
    to: (u32, Option<u32>),
    id: u64,
) {
    // SAFETY: as for `function`.
    unsafe {
        {
            let input = &mut state(vm).input;
            input.trace -= 1;
            input.traced.push(id);
        }
        trace::start(vm, rt, to.0, b);
        let length = buffers::packet_length(vm, b) as u32;
        let record = trace::add_trace(vm, rt, b.cast(), (NUMBERS * 4 + TRACED) as u32).cast::<u8>();
        record.cast::<Record>().write_unaligned(Record {
            length,
            next: to.0,
            at: to.1.unwrap_or(!0),
            current_data: (*b).current_data.into(),
            current_length: (*b).current_length.into(),
            ref_count: (*b).ref_count.load(Ordering::Relaxed).into(),
            chain: [
                u32::from((*b).flags & VLIB_BUFFER_NEXT_PRESENT != 0),
                (*b).total_length_not_including_first_buffer,
            ],
            trace_handle: (*b).trace_handle,
        });
        let there =
            buffers::bytes_from(b, 0, ((*b).current_data as usize) + usize::from((*b).current_length));
        let mut packet = [0; TRACED];
        let n = there.len().min(TRACED);
        packet[..n].copy_from_slice(&there[..n]);
        record.add(NUMBERS * 4).cast::<[u8; TRACED]>().write_unaligned(packet);
    }
}

pub(crate) fn format(st: &State, record: &[u8]) -> String {
    let word =
        |i: usize| record.get(4 * i..4 * i + 4).map_or(0, |r| u32::from_ne_bytes([r[0], r[1], r[2], r[3]]));
    let [length, next, at, data, here, references, chained, behind, handle] =
        std::array::from_fn::<_, NUMBERS, _>(word);
    let next = match NEXTS.get(next as usize) {
        _ if at != !0 => st.name(at).to_owned(),
        Some(name) => (*name).to_owned(),
        // A feature of the arc `device-input`.
        None => next.to_string(),
    };
    let (totlen, flags) = if chained != 0 {
        (format!(", totlen-nifb {behind}"), "\n  next-present ")
    } else {
        (String::new(), "")
    };
    format!(
        "stream {INTERFACE_NAME}, {length} bytes, sw_if_index {INTERFACE}, next_node {next}\n  \
         current data {data}, length {here}, buffer-pool 0, ref-count {references}{totlen}, \
         trace handle 0x{handle:x}{flags}\n  {}",
        header::frame(record.get(NUMBERS * 4..NUMBERS * 4 + TRACED).unwrap_or_default())
    )
}
