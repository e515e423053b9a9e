//! Nodes that keep what they get: the ends of the host's graph.

use std::time::Duration;

use vppkit_sys::vlib::buffer::{
    VLIB_BUFFER_IS_TRACED, VLIB_BUFFER_NEXT_PRESENT, VLIB_BUFFER_PRE_DATA_SIZE, vlib_buffer_t,
};
use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;
use vppkit_sys::vnet::buffer::VNET_BUFFER_F_L2_HDR_OFFSET_VALID;

use super::opaque;
use crate::buffers::{self, NO_PACKET};
use crate::frames::vectors;
use crate::state::{State, state};
use crate::vm::Vm;
use crate::{sanitize, trace};

/// A packet that arrived at a sink.
#[derive(Clone, Debug)]
pub struct Packet {
    pub(crate) index: Option<u64>,
    pub(crate) sink: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) offset: usize,
    pub(crate) time: Duration,
}

impl Packet {
    /// Which packet of the input it was, from 0; `None` if a node made it.
    pub fn index(&self) -> Option<u64> {
        self.index
    }

    /// The node that it arrived at.
    pub fn sink(&self) -> &str {
        &self.sink
    }

    /// Its bytes from the Ethernet header, if it has one.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its bytes from where the sink would have read on, such as the IP header.
    pub fn payload(&self) -> &[u8] {
        &self.bytes[self.offset..]
    }

    /// When it was captured.
    pub fn time(&self) -> Duration {
        self.time
    }
}

/// A function that sees packets as they arrive.
pub(crate) type OnPacket = Box<dyn FnMut(&Packet) -> std::io::Result<()>>;

/// What sinks do with packets.
pub(crate) struct Sinks {
    /// The nodes that are sinks.
    pub(crate) nodes: Vec<u32>,
    pub(crate) keep: usize,
    pub(crate) packets: Vec<Packet>,
    pub(crate) on_packet: Option<OnPacket>,
    pub(crate) error: Option<std::io::Error>,
}

/// The node function of every sink.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn function(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: the frame is this node's; no reference to the state lives while a callback runs.
    unsafe {
        let n = usize::from((*frame).n_vectors);
        let indices = std::slice::from_raw_parts(vectors(frame), n);
        let node = (*rt).node_index;
        *state(vm).outcomes.forwarded.entry(node).or_default() += n as u64;
        for &index in indices {
            let b = buffers::get(vm, index);
            if (*b).flags & VLIB_BUFFER_IS_TRACED != 0 {
                let len = buffers::packet_length(vm, b) as u32;
                trace::add_trace(vm, rt, b.cast(), 4).cast::<u32>().write(len);
            }
            let mut st = state(vm);
            let keep = st.sinks.packets.len() < st.sinks.keep;
            if keep || st.sinks.on_packet.is_some() {
                let packet = copy(vm, &st, index, b, node);
                if let Some(mut on_packet) = st.sinks.on_packet.take() {
                    let failed = st.sinks.error.is_some();
                    drop(st);
                    let result = if failed { Ok(()) } else { on_packet(&packet) };
                    st = state(vm);
                    st.sinks.on_packet = Some(on_packet);
                    if let Err(error) = result {
                        st.sinks.error.get_or_insert(error);
                    }
                }
                if keep {
                    st.sinks.packets.push(packet);
                }
            }
            drop(st);
            sanitize::ended(Vm::new(vm), index);
        }
        buffers::free(vm, indices);
        n
    }
}

/// A packet as the test sees it.
///
/// # Safety
/// `vm` is the host's, `b` its buffer `index`, whose chain ends and whose bounds are right.
unsafe fn copy(vm: *mut vlib_main_t, st: &State, index: u32, b: *mut vlib_buffer_t, node: u32) -> Packet {
    // SAFETY: as for `function`.
    unsafe {
        let current = (*b).current_data;
        let l2 = (*opaque(b)).l2_hdr_offset;
        let has_l2 = (*b).flags & VNET_BUFFER_F_L2_HDR_OFFSET_VALID as u32 != 0
            && l2 >= -(VLIB_BUFFER_PRE_DATA_SIZE as i16)
            && l2 <= current;
        let start = if has_l2 { l2 } else { current };
        let offset = (current - start) as usize;
        let mut bytes = buffers::bytes_from(b, start, offset + usize::from((*b).current_length)).to_vec();
        let mut at = b;
        while (*at).flags & VLIB_BUFFER_NEXT_PRESENT != 0 {
            at = buffers::get(vm, (*at).next_buffer);
            bytes.extend_from_slice(buffers::current(at));
        }
        let slot = st.pool.slot_of(index).unwrap_or(0);
        let id = st.pool.packet[slot];
        Packet {
            index: (id != NO_PACKET).then_some(id),
            sink: st.name(node).to_owned(),
            bytes,
            offset,
            time: Duration::from_nanos(if id == NO_PACKET { 0 } else { st.pool.time[slot] }),
        }
    }
}

/// A sink's trace record: the packet's length.
pub(crate) fn format(_: &State, record: &[u8]) -> String {
    let len = record.get(..4).map_or(0, |r| u32::from_ne_bytes([r[0], r[1], r[2], r[3]]));
    format!("captured, {len} bytes")
}
