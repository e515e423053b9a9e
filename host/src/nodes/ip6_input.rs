//! `ip6-input`: is it a good IPv6 packet, and which arc does it start? (`vnet/ip/ip6_input.[ch]`)

use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;

use super::ip4_input::Arc;
use super::{Errors, counter, info, opaque, per_packet, trace_headers};
use crate::buffers;

/// The counters that VPP shares among its IPv6 nodes, as far as this host raises them.
pub(crate) static ERRORS: Errors<5> = Errors([
    info(c"none", c"valid ip6 packets"),
    counter(c"too_short", c"ip6 length < 40 bytes", 0),
    counter(c"bad_length", c"ip6 length > l2 length", 0),
    counter(c"version", c"ip6 version != 6", 0),
    counter(c"time_expired", c"ip6 ttl <= 1", 0),
]);

const TOO_SHORT: usize = 1;
const VERSION: usize = 3;
const TIME_EXPIRED: usize = 4;

pub(crate) const NEXTS: &[&str] = &["error-drop", "ip6-lookup", "ip6-mfib-forward-lookup", "ip6-icmp-error"];

const NEXT_DROP: u16 = 0;
const NEXT_LOOKUP: u16 = 1;
const NEXT_MULTICAST: u16 = 2;
const NEXT_ICMP_ERROR: u16 = 3;

/// The function of `ip6-input`.
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
        trace_headers(vm, rt, frame, 64);
        let unicast = Arc::find(vm, "ip6-unicast", NEXT_LOOKUP);
        let multicast = Arc::find(vm, "ip6-multicast", NEXT_MULTICAST);
        per_packet(vm, rt, frame, |b| {
            let header: [u8; 40] = buffers::header(b);
            let arc = if header[24] == 0xff { &multicast } else { &unicast };
            let next = arc.start(vm, b);
            match check(&header, usize::from((*b).current_length)) {
                None => next,
                Some(error) => {
                    (*b).error = *(*rt).errors.add(error);
                    if error == TIME_EXPIRED {
                        (*opaque(b)).sw_if_index[1] = !0;
                        NEXT_ICMP_ERROR
                    } else {
                        NEXT_DROP
                    }
                }
            }
        })
    }
}

/// What is wrong with a header; the last check that fails counts. The length of the payload is not checked
/// here, in VPP neither.
fn check(header: &[u8; 40], length: usize) -> Option<usize> {
    let mut error = None;
    if header[0] >> 4 != 6 {
        error = Some(VERSION);
    }
    if header[7] < 1 {
        error = Some(TIME_EXPIRED);
    }
    if length < 40 {
        error = Some(TOO_SHORT);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_its_counter() {
        let header = |first: u8, hops: u8| {
            let mut h = [0; 40];
            (h[0], h[7]) = (first, hops);
            h
        };
        assert_eq!(check(&header(0x60, 64), 40), None);
        assert_eq!(check(&header(0x60, 1), 40), None);
        assert_eq!(check(&header(0x40, 64), 40), Some(VERSION));
        assert_eq!(check(&header(0x60, 0), 40), Some(TIME_EXPIRED));
        assert_eq!(check(&header(0x60, 64), 39), Some(TOO_SHORT));
    }
}
