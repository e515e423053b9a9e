//! The dispatch loop against a naive model: for every frame, each packet goes where its own verdict says.

use core::ffi::CStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use proptest::prelude::*;
use vppkit_sys::release::{ArcHeap, Release, SUPPORTED};
use vppkit_sys::vnet::feature::vnet_feature_main_t;

use super::*;
use crate::__private::arc;
use crate::fake::{Fake, OpaqueBytes as _};
use crate::feature::{NoArc, OnArc};
use crate::{ErrorCounter, NoTrace, Node, NodeErrors, Severity};

/// What the test nodes do with a packet, written in its first byte.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wish {
    NextFeature,
    NextA,
    NextOutOfRange,
    NextAWithErrorB,
    DropB,
    DropOutOfRange,
    /// Only code that implements the traits by hand can make a node off every arc say this.
    NextFeatureAnyway,
    Panic,
}

impl Wish {
    const ALL: [Wish; 8] = [
        Wish::NextFeature,
        Wish::NextA,
        Wish::NextOutOfRange,
        Wish::NextAWithErrorB,
        Wish::DropB,
        Wish::DropOutOfRange,
        Wish::NextFeatureAnyway,
        Wish::Panic,
    ];
}

struct Index(u16);

impl NextNodes for Index {
    const NAMES: &'static [&'static CStr] = &[c"a", c"b"];
    fn index(self) -> u16 {
        self.0
    }
}

struct Code(u16);

impl NodeErrors for Code {
    const COUNTERS: &'static [ErrorCounter] =
        &[ErrorCounter::new(c"a", c"a", Severity::Error), ErrorCounter::new(c"b", c"b", Severity::Error)];
    fn code(self) -> u16 {
        self.0
    }
}

/// Index of `error-drop`, behind the node's own two.
const DROP: u16 = 2;
/// Where the arc leads.
const ALONG_ARC: u16 = 7;
/// The runtime's errors: a, b, panic.
const ERRORS: [u16; 3] = [100, 101, 102];
/// Where a packet is on the arc before the node.
const POSITION: u32 = 5;

enum OnTheArc {}
enum OffTheArc {}

macro_rules! test_node {
    ($node:ident, $arc:ty, $along:expr) => {
        impl Node for $node {
            const NAME: &'static CStr = c"test";
            type Next = Index;
            type Errors = Code;
            type Trace = NoTrace;
            type Placement = $arc;
        }
        impl PacketNode for $node {
            fn process(_: &mut NodeContext<'_, Self>, packet: &mut Packet<'_>) -> Verdict<Self> {
                match Wish::ALL[usize::from(packet.data()[0])] {
                    Wish::NextFeature => $along,
                    Wish::NextA => Verdict::Next(Index(0)),
                    Wish::NextOutOfRange => Verdict::Next(Index(2)),
                    Wish::NextAWithErrorB => Verdict::NextWithError(Index(0), Code(1)),
                    Wish::DropB => Verdict::Drop(Code(1)),
                    Wish::DropOutOfRange => Verdict::Drop(Code(999)),
                    Wish::NextFeatureAnyway => Verdict::NextFeature,
                    Wish::Panic => panic!("as the test wishes"),
                }
            }
        }
    };
}

test_node!(OnTheArc, OnArc, Verdict::NextFeature);
test_node!(OffTheArc, NoArc, Verdict::Next(Index(1)));

/// What a packet should have become: next index, error, place on the arc. `None`: as it was.
fn expected(wish: Wish, on_arc: bool) -> (u16, Option<u16>, u32) {
    match wish {
        Wish::NextFeature | Wish::NextFeatureAnyway if on_arc => (ALONG_ARC, None, POSITION + 1),
        Wish::NextFeatureAnyway => (DROP, None, POSITION),
        Wish::NextFeature => (1, None, POSITION),
        Wish::NextA => (0, None, POSITION),
        Wish::NextOutOfRange => (DROP, None, POSITION),
        Wish::NextAWithErrorB => (0, Some(101), POSITION),
        Wish::DropB => (DROP, Some(101), POSITION),
        Wish::DropOutOfRange => (DROP, Some(102), POSITION),
        Wish::Panic => unreachable!("a frame ends there"),
    }
}

/// What was enqueued: buffer index and next index, in order; and in how many calls.
#[derive(Default)]
struct Enqueued {
    packets: Vec<(u32, u16)>,
    calls: usize,
}

static ENQUEUED: Mutex<Option<Enqueued>> = Mutex::new(None);
/// VPP's symbols and release are of the process; one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn record(packets: impl Iterator<Item = (u32, u16)>) {
    let mut enqueued = ENQUEUED.lock().unwrap();
    let enqueued = enqueued.get_or_insert_default();
    enqueued.calls += 1;
    enqueued.packets.extend(packets);
}

unsafe extern "C" fn to_next(
    _: *mut vlib_main_t,
    _: *mut vlib_node_runtime_t,
    buffers: *mut u32,
    nexts: *mut u16,
    count: usize,
) {
    // SAFETY: the loop gives `count` of each.
    let (buffers, nexts) =
        unsafe { (core::slice::from_raw_parts(buffers, count), core::slice::from_raw_parts(nexts, count)) };
    record(buffers.iter().copied().zip(nexts.iter().copied()));
}

unsafe extern "C" fn to_single_next(
    _: *mut vlib_main_t,
    _: *mut vlib_node_runtime_t,
    buffers: *mut u32,
    next: u16,
    count: u32,
) {
    // SAFETY: the loop gives `count` buffers.
    let buffers = unsafe { core::slice::from_raw_parts(buffers, count as usize) };
    record(buffers.iter().map(|&buffer| (buffer, next)));
}

/// Puts the test's symbols and the release in place.
fn imitate(release: &'static Release, heap: &[u32]) -> MutexGuard<'static, ()> {
    let guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    arc::set_release(release);
    let functions = Box::leak(Box::new(vppkit_sys::vlib::buffer_funcs::vlib_buffer_func_main_t {
        buffer_enqueue_to_next_fn: Some(to_next),
        buffer_enqueue_to_next_with_aux_fn: core::ptr::null_mut(),
        buffer_enqueue_to_single_next_fn: Some(to_single_next),
    }));
    let feature_main =
        Box::leak(vec![0_u64; 64].into_boxed_slice()).as_mut_ptr().cast::<vnet_feature_main_t>();
    let config_mains = Box::leak(vec![0_u64; 64].into_boxed_slice()).as_mut_ptr();
    let heap = Box::leak(heap.to_vec().into_boxed_slice()).as_mut_ptr();
    // SAFETY: the records are large enough for every release; nobody else is at them.
    unsafe {
        match release.arc_heap {
            ArcHeap::Shared { heap_offset } => {
                feature_main.byte_add(heap_offset).cast::<*mut u32>().write(heap)
            }
            ArcHeap::PerArc { .. } => {
                // Arc 3 has the heap; the others have none.
                let config = config_mains.byte_add(3 * release.vnet_feature_config_main.size);
                (*config.cast::<vppkit_sys::vnet::feature::vnet_feature_config_main_t>())
                    .config_main
                    .config_string_heap = heap;
                (*feature_main).feature_config_mains = config_mains.cast();
            }
        }
        VPP.resolve(|name| match name.to_bytes() {
            b"vlib_buffer_func_main" => core::ptr::from_mut(functions).cast(),
            b"feature_main" => feature_main.cast(),
            // Not called by the loop.
            _ => core::ptr::dangling_mut(),
        })
        .unwrap();
    }
    guard
}

/// Calls the node function with a frame of these packets and checks each.
fn check<N: PacketNode>(release: &'static Release, wishes: &[Wish]) {
    let mut heap = vec![u32::MAX; 16];
    heap[POSITION as usize] = u32::from(ALONG_ARC);
    let _imitation = imitate(release, &heap);
    *ENQUEUED.lock().unwrap() = None;

    let mut fake = Fake::new();
    for wish in wishes {
        let at = Wish::ALL.iter().position(|w| w == wish).unwrap();
        let buffer = fake.add(&[at as u8]);
        buffer.current_config_index = POSITION;
        buffer.error = 0;
        if let ArcHeap::PerArc { arc_index_offset } = release.arc_heap {
            buffer.opaque_bytes()[arc_index_offset] = 3;
        }
    }
    let (vm, runtime, frame) = fake.call(&ERRORS);
    // SAFETY: the fake gives what VPP would.
    let handled = unsafe { packet_node::<N>(vm, runtime, frame) };
    assert_eq!(handled, wishes.len());

    let enqueued = ENQUEUED.lock().unwrap().take().unwrap_or_default();
    let panicked_at = wishes.iter().position(|&wish| wish == Wish::Panic).unwrap_or(wishes.len());
    let expected: Vec<_> = wishes
        .iter()
        .enumerate()
        .map(|(at, &wish)| {
            if at < panicked_at {
                expected(wish, N::Placement::ON_ARC)
            } else {
                // The packet that the panic was at has left its place on the arc; it is dropped, so nobody looks.
                let advanced = u32::from(at == panicked_at && N::Placement::ON_ARC);
                (DROP, Some(102), POSITION + advanced)
            }
        })
        .collect();
    let indices = fake.indices();
    let nexts: Vec<_> = indices.iter().zip(&expected).map(|(&index, &(next, ..))| (index, next)).collect();
    assert_eq!(enqueued.packets, nexts, "each packet once, in order, to its own next");
    assert_eq!(enqueued.calls, usize::from(!wishes.is_empty()), "one enqueue for a frame");
    for (at, &(_, error, position)) in expected.iter().enumerate() {
        let buffer = fake.buffer(at);
        assert_eq!(
            (buffer.error, buffer.current_config_index),
            (error.unwrap_or(0), position),
            "packet {at}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_packet_goes_where_its_verdict_says(
        release in 0..SUPPORTED.len(),
        wishes in prop::collection::vec(prop::sample::select(&Wish::ALL[..7]), 0..=256),
    ) {
        check::<OnTheArc>(SUPPORTED[release], &wishes);
        check::<OffTheArc>(SUPPORTED[release], &wishes);
    }

    #[test]
    fn a_panic_drops_the_rest_of_its_frame_and_nothing_else(
        release in 0..SUPPORTED.len(),
        mut wishes in prop::collection::vec(prop::sample::select(&Wish::ALL[..7]), 1..=256),
        at in any::<prop::sample::Index>(),
    ) {
        let at = at.index(wishes.len());
        wishes[at] = Wish::Panic;
        check::<OnTheArc>(SUPPORTED[release], &wishes);
        check::<OffTheArc>(SUPPORTED[release], &wishes);
    }
}

#[test]
fn frames_of_every_size_with_one_next() {
    for count in 0..=VLIB_FRAME_SIZE {
        check::<OnTheArc>(SUPPORTED[2], &vec![Wish::NextFeature; count]);
    }
}
