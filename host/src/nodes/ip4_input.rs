//! `ip4-input`: is it a good IPv4 packet, and which arc does it start? (`vnet/ip/ip4_input.[ch]`)

use vppkit_sys::vlib::buffer::vlib_buffer_t;
use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;

use super::{Errors, INTERFACE, counter, errors_of, info, opaque, per_packet, trace_headers};
use crate::state::state;
use crate::{buffers, features};

/// The counters that VPP shares among its IPv4 nodes, as far as this host raises them.
pub(crate) static ERRORS: Errors<9> = Errors([
    info(c"none", c"valid ip4 packets"),
    counter(c"too_short", c"ip4 length < 20 bytes", 0),
    counter(c"bad_length", c"ip4 length > l2 length", 0),
    counter(c"bad_checksum", c"bad ip4 checksum", 0),
    counter(c"version", c"ip4 version != 4", 0),
    info(c"options", c"ip4 options present"),
    counter(c"fragment_offset_one", c"ip4 fragment offset == 1", 0),
    counter(c"time_expired", c"ip4 ttl <= 1", 0),
    counter(c"hdr_too_short", c"ip4 IHL < 5", 0),
]);

const TOO_SHORT: usize = 1;
const BAD_LENGTH: usize = 2;
const BAD_CHECKSUM: usize = 3;
const VERSION: usize = 4;
const OPTIONS: usize = 5;
const FRAGMENT_OFFSET_ONE: usize = 6;
const TIME_EXPIRED: usize = 7;
const HEADER_TOO_SHORT: usize = 8;

pub(crate) const NEXTS: &[&str] =
    &["error-drop", "error-punt", "ip4-options", "ip4-lookup", "ip4-mfib-forward-lookup", "ip4-icmp-error"];

const NEXT_DROP: u16 = 0;
const NEXT_OPTIONS: u16 = 2;
const NEXT_LOOKUP: u16 = 3;
const NEXT_MULTICAST: u16 = 4;
const NEXT_ICMP_ERROR: u16 = 5;

/// The function of `ip4-input`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn function(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function.
    unsafe { run(vm, rt, frame, true) }
}

/// The function of `ip4-input-no-checksum`.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
pub(crate) unsafe extern "C" fn function_no_checksum(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: a node's function.
    unsafe { run(vm, rt, frame, false) }
}

/// Both nodes' function.
///
/// # Safety
/// VPP's contract with a node's function: the thread's `vm`, the node's runtime, and a frame that is its alone.
unsafe fn run(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
    checksum: bool,
) -> usize {
    // SAFETY: as for a node's function.
    unsafe {
        trace_headers(vm, rt, frame, 64);
        let errors = errors_of(vm, "ip4-input");
        let unicast = Arc::find(vm, "ip4-unicast", NEXT_LOOKUP);
        let multicast = Arc::find(vm, "ip4-multicast", NEXT_MULTICAST);
        per_packet(vm, rt, frame, |b| {
            let header: [u8; 60] = buffers::header(b);
            let arc = if header[16] & 0xf0 == 0xe0 { &multicast } else { &unicast };
            let next = arc.start(vm, b);
            match check(&header, buffers::packet_length(vm, b), checksum) {
                None => next,
                Some(error) => {
                    (*b).error = *errors.add(error);
                    match error {
                        OPTIONS => NEXT_OPTIONS,
                        TIME_EXPIRED => {
                            (*opaque(b)).sw_if_index[1] = !0;
                            NEXT_ICMP_ERROR
                        }
                        _ => NEXT_DROP,
                    }
                }
            }
        })
    }
}

/// What is wrong with a header. VPP makes all checks; the last that fails counts.
fn check(header: &[u8; 60], length: usize, checksum: bool) -> Option<usize> {
    let mut error = None;
    let header_bytes = usize::from(header[0] & 0xf) * 4;
    if header[0] >> 4 != 4 {
        error = Some(VERSION);
    } else if header_bytes < 20 {
        error = Some(HEADER_TOO_SHORT);
    } else if checksum && sum(&header[..header_bytes]) != 0xffff {
        error = Some(BAD_CHECKSUM);
    } else if header_bytes > 20 {
        error = Some(OPTIONS);
    }
    if header[8] < 1 {
        error = Some(TIME_EXPIRED);
    }
    if u16::from_be_bytes([header[6], header[7]]) & 0x1fff == 1 {
        error = Some(FRAGMENT_OFFSET_ONE);
    }
    let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
    if total < 20 {
        error = Some(TOO_SHORT);
    }
    if total > length {
        error = Some(BAD_LENGTH);
    }
    error
}

/// The ones' complement sum of 16-bit words; 0xffff for a header with the right checksum.
pub(crate) fn sum(bytes: &[u8]) -> u16 {
    let mut sum: u32 =
        bytes.chunks(2).map(|w| u32::from(w[0]) << 8 | u32::from(*w.get(1).unwrap_or(&0))).sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

/// How packets get onto an arc, the same for all packets of a frame.
pub(crate) struct Arc {
    index: u8,
    /// Next index and position, if the interface has features.
    start: Option<(u32, u32)>,
    otherwise: u16,
}

impl Arc {
    /// # Safety
    /// `vm` is the host's.
    pub(crate) unsafe fn find(vm: *mut vlib_main_t, name: &str, otherwise: u16) -> Self {
        // SAFETY: by contract.
        unsafe {
            let index = state(vm).arcs.iter().position(|a| a.name == name);
            let start = index.and_then(|i| features::start(vm, i, INTERFACE));
            Self { index: index.unwrap_or(0) as u8, start, otherwise }
        }
    }

    /// # Safety
    /// `vm` is the host's, `b` a buffer.
    pub(crate) unsafe fn start(&self, vm: *mut vlib_main_t, b: *mut vlib_buffer_t) -> u16 {
        let Some((next, position)) = self.start else { return self.otherwise };
        // SAFETY: by contract.
        unsafe { features::set_position(vm, b, self.index, position) };
        next as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: [u8; 20] = [0x45, 0, 0, 20, 0, 0, 0, 0, 64, 1, 0x66, 0xe7, 10, 0, 0, 1, 10, 0, 0, 2];

    fn header(change: impl FnOnce(&mut [u8; 60])) -> [u8; 60] {
        let mut h = [0; 60];
        h[..20].copy_from_slice(&GOOD);
        change(&mut h);
        let bytes = usize::from(h[0] & 0xf).max(5) * 4;
        h[10..12].fill(0);
        let checksum = !sum(&h[..bytes]);
        h[10..12].copy_from_slice(&checksum.to_be_bytes());
        h
    }

    #[test]
    fn each_check_has_its_counter() {
        assert_eq!(check(&header(|_| ()), 20, true), None);
        assert_eq!(check(&header(|_| ()), 1500, true), None, "Ethernet pads short packets");
        assert_eq!(check(&header(|h| h[0] = 0x65), 20, true), Some(VERSION));
        assert_eq!(check(&header(|h| h[0] = 0x44), 20, true), Some(HEADER_TOO_SHORT));
        assert_eq!(check(&header(|h| (h[0], h[3]) = (0x46, 24)), 24, true), Some(OPTIONS));
        assert_eq!(check(&header(|h| h[8] = 0), 20, true), Some(TIME_EXPIRED));
        assert_eq!(check(&header(|h| h[8] = 1), 20, true), None, "VPP's name for it says <= 1");
        assert_eq!(check(&header(|h| h[7] = 1), 20, true), Some(FRAGMENT_OFFSET_ONE));
        assert_eq!(check(&header(|h| h[3] = 19), 20, true), Some(TOO_SHORT));
        assert_eq!(check(&header(|_| ()), 19, true), Some(BAD_LENGTH));
        let mut bad = header(|_| ());
        bad[10] ^= 1;
        assert_eq!(check(&bad, 20, true), Some(BAD_CHECKSUM));
        assert_eq!(check(&bad, 20, false), None);
    }
}
