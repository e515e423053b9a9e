//! Handles to VPP's records. What makes an access right is checked or promised once, when a handle is made; the
//! code that uses handles then needs no `unsafe`.
//!
//! Vectors move when they grow. So the handles to their elements hold an index, and look the address up at each access.

use std::cell::RefMut;
use std::ptr::NonNull;

use vppkit_sys::vlib::frame::{
    VLIB_FRAME_SIZE, vlib_frame_size_t, vlib_frame_t, vlib_next_frame_t, vlib_pending_frame_t,
};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{vlib_node_function_t, vlib_node_main_t, vlib_node_runtime_t, vlib_node_t};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::state::{State, state};
use crate::vec;

/// VPP's main structure of the thread that runs, with the host's state behind it.
#[derive(Clone, Copy)]
pub(crate) struct Vm(NonNull<vlib_main_t>);

/// A node.
#[derive(Clone, Copy)]
pub(crate) struct Node(NonNull<vlib_node_t>);

/// A node's runtime.
#[derive(Clone, Copy)]
pub(crate) struct Runtime {
    vm: Vm,
    r#type: usize,
    at: usize,
}

/// The frame that a node fills for one of its next nodes.
#[derive(Clone, Copy)]
pub(crate) struct NextFrame {
    vm: Vm,
    at: usize,
}

/// A frame that waits.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    vm: Vm,
    at: usize,
}

/// The frames of one size.
#[derive(Clone, Copy)]
pub(crate) struct FrameSize {
    vm: Vm,
    at: usize,
}

/// A frame.
#[derive(Clone, Copy)]
pub(crate) struct Frame(NonNull<vlib_frame_t>);

/// Getters, and setters where there is a second name, for the fields of what a handle stands for.
macro_rules! fields {
    ($handle:ident { $($get:ident $(, $set:ident)?: $type:ty;)* }) => {
        impl $handle {
            $(
                #[allow(dead_code, reason = "some fields are only written")]
                pub(crate) fn $get(self) -> $type {
                    // SAFETY: `ptr` gives a record that is there; no references to it are kept.
                    unsafe { (*self.ptr()).$get }
                }

                $(
                    pub(crate) fn $set(self, value: $type) {
                        // SAFETY: as for the getter.
                        unsafe { (*self.ptr()).$get = value }
                    }
                )?
            )*
        }
    };
}

fields!(Vm {
    main_loop_count, set_main_loop_count: u32;
    main_loop_vectors_processed, set_main_loop_vectors_processed: u32;
    main_loop_nodes_processed, set_main_loop_nodes_processed: u32;
    cpu_time_last_node_dispatch, set_cpu_time_last_node_dispatch: u64;
    internal_node_vectors, set_internal_node_vectors: u64;
    internal_node_calls, set_internal_node_calls: u64;
    internal_node_last_vectors_per_main_loop, set_internal_node_last_vectors_per_main_loop: u32;
});

fields!(Node {
    r#type: u32;
    flags: u16;
    index: u32;
    runtime_index: u32;
    frame_size_index: u16;
    scalar_offset: u16;
    vector_offset: u16;
    magic_offset: u16;
    aux_offset: u16;
    owner_node_index, set_owner_node_index: u32;
    owner_next_index, set_owner_next_index: u32;
});

fields!(Runtime {
    function, set_function: Option<vlib_node_function_t>;
    errors, set_errors: *mut u16;
    clocks_since_last_overflow, set_clocks_since_last_overflow: u32;
    max_clock, set_max_clock: u32;
    max_clock_n, set_max_clock_n: u32;
    calls_since_last_overflow, set_calls_since_last_overflow: u32;
    vectors_since_last_overflow, set_vectors_since_last_overflow: u32;
    next_frame_index, set_next_frame_index: u32;
    node_index: u32;
    input_main_loops_per_call, set_input_main_loops_per_call: u32;
    main_loop_count_last_dispatch, set_main_loop_count_last_dispatch: u32;
    flags, set_flags: u16;
    state: u8;
    dispatch_reason, set_dispatch_reason: u8;
    n_next_nodes, set_n_next_nodes: u16;
    cached_next_index, set_cached_next_index: u16;
});

fields!(NextFrame {
    node_runtime_index, set_node_runtime_index: u32;
    flags, set_flags: u32;
    vectors_since_last_overflow, set_vectors_since_last_overflow: u32;
});

fields!(Pending {
    node_runtime_index: u32;
    next_frame_index, set_next_frame_index: u32;
});

fields!(FrameSize {
    n_alloc_frames, set_n_alloc_frames: u32;
    frame_size: u16;
});

fields!(Frame {
    frame_flags, set_frame_flags: u16;
    flags, set_flags: u16;
    scalar_offset, set_scalar_offset: u16;
    vector_offset, set_vector_offset: u16;
    aux_offset, set_aux_offset: u16;
    n_vectors, set_n_vectors: u16;
    frame_size_index, set_frame_size_index: u16;
});

/// What a next frame says that nobody has used.
pub(crate) fn unused_next_frame() -> vlib_next_frame_t {
    vlib_next_frame_t {
        frame: std::ptr::null_mut(),
        node_runtime_index: !0,
        flags: 0,
        vectors_since_last_overflow: 0,
    }
}

/// The address of an element of a vector.
///
/// # Panics
/// If the vector has no such element.
///
/// # Safety
/// `vector` is NULL or a vector.
unsafe fn element<T>(vector: *mut T, at: usize) -> *mut T {
    // SAFETY: by contract, and the index is checked.
    unsafe {
        assert!(at < vec_len(vector), "index {at} of a vector of {}", vec_len(vector));
        vector.add(at)
    }
}

impl Vm {
    /// # Safety
    /// `vm` is the host's: it was made by [`crate::state::Thread::new`], its vectors are the host's, and all is there as
    /// long as the handle or what comes from it is used. The caller is on the thread that runs the host.
    pub(crate) unsafe fn new(vm: *mut vlib_main_t) -> Self {
        debug_assert!(!vm.is_null());
        // SAFETY: by contract.
        Self(unsafe { NonNull::new_unchecked(vm) })
    }

    pub(crate) fn ptr(self) -> *mut vlib_main_t {
        self.0.as_ptr()
    }

    /// The host's state. Only one part of the host has it at a time: it must be given back before other code is called
    /// that needs it.
    #[track_caller]
    pub(crate) fn state(&self) -> RefMut<'_, State> {
        // SAFETY: by the contract of `new`.
        unsafe { state(self.ptr()) }
    }

    fn node_main(self) -> *mut vlib_node_main_t {
        // SAFETY: the address of a field.
        unsafe { &raw mut (*self.ptr()).node_main }
    }

    pub(crate) fn n_nodes(self) -> u32 {
        // SAFETY: the host's vector.
        unsafe { vec_len((*self.node_main()).nodes) as u32 }
    }

    /// The node with an index.
    pub(crate) fn node(self, index: u32) -> Node {
        // SAFETY: the host's vector, whose elements are nodes that stay where they are until the run is over.
        Node(unsafe { NonNull::new_unchecked(*element((*self.node_main()).nodes, index as usize)) })
    }

    /// The runtime of a node.
    pub(crate) fn runtime(self, index: u32) -> Runtime {
        let node = self.node(index);
        self.runtime_at(node.r#type() as usize, node.runtime_index() as usize)
    }

    /// The runtime at an index of a type's vector.
    pub(crate) fn runtime_at(self, r#type: usize, at: usize) -> Runtime {
        Runtime { vm: self, r#type, at }
    }

    /// How many nodes of a type there are.
    pub(crate) fn n_runtimes(self, r#type: usize) -> usize {
        // SAFETY: the host's vector.
        unsafe { vec_len((*self.node_main()).nodes_by_type[r#type]) }
    }

    pub(crate) fn next_frame_at(self, at: usize) -> NextFrame {
        NextFrame { vm: self, at }
    }

    /// Makes room for `n` next frames before index `at`. Those behind it move; who refers to them is not told.
    pub(crate) fn insert_next_frames(self, at: usize, n: usize) {
        // SAFETY: the host's vector; the elements that move stay inside of it.
        unsafe {
            let all = &raw mut (*self.node_main()).next_frames;
            let len = vec_len(*all);
            assert!(at <= len);
            vec::resize(all, len + n);
            (*all).add(at + n).copy_from((*all).add(at), len - at);
            for i in at..at + n {
                (*all).add(i).write(unused_next_frame());
            }
        }
    }

    pub(crate) fn n_pending(self) -> usize {
        // SAFETY: the host's vector.
        unsafe { vec_len((*self.node_main()).pending_frames) }
    }

    pub(crate) fn pending(self, at: usize) -> Pending {
        Pending { vm: self, at }
    }

    /// Makes a frame wait.
    pub(crate) fn push_pending(self, frame: Frame, node_runtime_index: u32, next_frame_index: u32) {
        let pending = vlib_pending_frame_t { frame: frame.ptr(), node_runtime_index, next_frame_index };
        // SAFETY: the host's vector.
        unsafe { vec::push(&raw mut (*self.node_main()).pending_frames, pending) };
    }

    pub(crate) fn clear_pending(self) {
        // SAFETY: the host's vector.
        unsafe { vec::resize(&raw mut (*self.node_main()).pending_frames, 0) };
    }

    /// The frames of the size that an index stands for.
    pub(crate) fn frame_size(self, index: u16) -> FrameSize {
        FrameSize { vm: self, at: index.into() }
    }
}

impl Node {
    fn ptr(self) -> *mut vlib_node_t {
        self.0.as_ptr()
    }

    /// The node behind a next index.
    pub(crate) fn next(self, next: u32) -> u32 {
        // SAFETY: the host's vector.
        unsafe { *element((*self.ptr()).next_nodes, next as usize) }
    }

    /// Counts vectors to a next node.
    pub(crate) fn count_next(self, next: u32, vectors: u64) {
        // SAFETY: the host's vector.
        unsafe { *element((*self.ptr()).n_vectors_by_next_node, next as usize) += vectors };
    }

    /// Adds what a runtime has counted.
    pub(crate) fn add_stats(self, rt: Runtime) {
        // SAFETY: the record is there; no references to it are kept.
        let total = unsafe { &mut (*self.ptr()).stats_total };
        total.calls += u64::from(rt.calls_since_last_overflow());
        total.vectors += u64::from(rt.vectors_since_last_overflow());
        total.clocks += u64::from(rt.clocks_since_last_overflow());
        total.max_clock = u64::from(rt.max_clock());
        total.max_clock_n = u64::from(rt.max_clock_n());
    }

    /// The nodes behind its next indices; `!0` where there is none.
    pub(crate) fn nexts(self) -> Vec<u32> {
        // SAFETY: the host's vector, which is copied.
        unsafe { vec::slice((*self.ptr()).next_nodes) }.to_vec()
    }

    /// Puts a node behind a next index.
    pub(crate) fn set_next(self, slot: usize, to: u32) {
        // SAFETY: the host's vectors.
        unsafe {
            vec::validate(&raw mut (*self.ptr()).next_nodes, slot, !0);
            vec::validate(&raw mut (*self.ptr()).n_vectors_by_next_node, slot, 0);
            *element((*self.ptr()).next_nodes, slot) = to;
        }
    }
}

impl Runtime {
    pub(crate) fn ptr(self) -> *mut vlib_node_runtime_t {
        // SAFETY: the host's vector.
        unsafe { element((*self.vm.node_main()).nodes_by_type[self.r#type], self.at) }
    }

    /// The next frame for a next index below `n_next_nodes`.
    pub(crate) fn next_frame(self, next: u32) -> NextFrame {
        self.vm.next_frame_at((self.next_frame_index() + next) as usize)
    }

    /// Whether something was written into the zeroes that the host keeps behind the last runtime of a type. They are
    /// zeroes again afterwards.
    pub(crate) fn slack_was_written(self) -> bool {
        // SAFETY: `graph::register` makes room for one runtime more than there are, and the last one is before it.
        unsafe {
            let slack = self.ptr().add(1).cast::<[u8; 32]>();
            let written = slack.read() != [0; 32];
            if written {
                slack.write([0; 32]);
            }
            written
        }
    }
}

impl NextFrame {
    fn ptr(self) -> *mut vlib_next_frame_t {
        // SAFETY: the host's vector.
        unsafe { element((*self.vm.node_main()).next_frames, self.at) }
    }

    /// Its index among all next frames.
    pub(crate) fn index(self) -> u32 {
        self.at as u32
    }

    pub(crate) fn frame(self) -> Option<Frame> {
        // SAFETY: next frames hold frames of the host's.
        NonNull::new(unsafe { (*self.ptr()).frame }).map(Frame)
    }

    pub(crate) fn set_frame(self, frame: Option<Frame>) {
        // SAFETY: the record is there.
        unsafe { (*self.ptr()).frame = frame.map_or(std::ptr::null_mut(), Frame::ptr) };
    }

    /// Swaps all that two next frames say.
    pub(crate) fn swap(self, other: NextFrame) {
        // SAFETY: both records are there.
        unsafe { self.ptr().swap(other.ptr()) };
    }

    pub(crate) fn has(self, flag: u16) -> bool {
        self.flags() & u32::from(flag) != 0
    }

    pub(crate) fn set(self, flag: u16) {
        self.set_flags(self.flags() | u32::from(flag));
    }

    pub(crate) fn clear(self, flag: u16) {
        self.set_flags(self.flags() & !u32::from(flag));
    }
}

impl Pending {
    fn ptr(self) -> *mut vlib_pending_frame_t {
        // SAFETY: the host's vector.
        unsafe { element((*self.vm.node_main()).pending_frames, self.at) }
    }

    pub(crate) fn frame(self) -> Frame {
        // SAFETY: only frames are made to wait.
        Frame(unsafe { NonNull::new_unchecked((*self.ptr()).frame) })
    }
}

impl FrameSize {
    fn ptr(self) -> *mut vlib_frame_size_t {
        // SAFETY: the host's vector.
        unsafe { element((*self.vm.node_main()).frame_sizes, self.at) }
    }

    pub(crate) fn take_free(self) -> Option<Frame> {
        // SAFETY: the host's vector, which holds frames.
        unsafe {
            let free = &raw mut (*self.ptr()).free_frames;
            let last = vec_len(*free).checked_sub(1)?;
            let frame = *element(*free, last);
            vec::resize(free, last);
            NonNull::new(frame).map(Frame)
        }
    }

    pub(crate) fn put_free(self, frame: Frame) {
        // SAFETY: the host's vector.
        unsafe { vec::push(&raw mut (*self.ptr()).free_frames, frame.ptr()) };
    }

    /// A frame of this size in fresh memory.
    pub(crate) fn make(self) -> Frame {
        // SAFETY: `zeroed` never gives NULL.
        Frame(unsafe { NonNull::new_unchecked(vec::zeroed(self.frame_size().into()).cast()) })
    }

    /// Fills a frame of this size with a byte.
    pub(crate) fn fill(self, frame: Frame, byte: u8) {
        // SAFETY: the frames of this size have that many bytes.
        unsafe { frame.ptr().cast::<u8>().write_bytes(byte, self.frame_size().into()) };
    }
}

impl Frame {
    /// # Safety
    /// `frame` is a frame of the host's with room for 256 buffer indices and what VPP keeps behind them; it is there
    /// until the run is over.
    pub(crate) unsafe fn new(frame: *mut vlib_frame_t) -> Self {
        debug_assert!(!frame.is_null());
        // SAFETY: by contract.
        Self(unsafe { NonNull::new_unchecked(frame) })
    }

    pub(crate) fn ptr(self) -> *mut vlib_frame_t {
        self.0.as_ptr()
    }

    pub(crate) fn is(self, other: Frame) -> bool {
        self.0 == other.0
    }

    /// The buffer indices.
    pub(crate) fn vectors(self) -> *mut u32 {
        // SAFETY: they are inside of the frame.
        unsafe { self.ptr().cast::<u8>().add(self.vector_offset().into()).cast() }
    }

    /// Writes buffer indices from index `at`.
    pub(crate) fn write(self, at: usize, indices: &[u32]) {
        assert!(at + indices.len() <= VLIB_FRAME_SIZE);
        // SAFETY: there is room for that many.
        unsafe { self.vectors().add(at).copy_from_nonoverlapping(indices.as_ptr(), indices.len()) };
    }

    /// The buffer indices from `from` to `to`, copied.
    pub(crate) fn read(self, from: usize, to: usize) -> ([u32; VLIB_FRAME_SIZE], usize) {
        assert!(from <= to && to <= VLIB_FRAME_SIZE);
        let mut copy = [0; VLIB_FRAME_SIZE];
        // SAFETY: there are that many.
        unsafe { copy.as_mut_ptr().copy_from_nonoverlapping(self.vectors().add(from), to - from) };
        (copy, to - from)
    }

    /// What VPP writes behind the vectors of a node's frames.
    fn magic(self, node: Node) -> *mut u32 {
        // SAFETY: it is inside of the frame.
        unsafe { self.ptr().cast::<u8>().add(node.magic_offset().into()).cast() }
    }

    pub(crate) fn read_magic(self, node: Node) -> u32 {
        // SAFETY: it is inside of the frame.
        unsafe { self.magic(node).read_unaligned() }
    }

    pub(crate) fn write_magic(self, node: Node, magic: u32) {
        // SAFETY: it is inside of the frame.
        unsafe { self.magic(node).write_unaligned(magic) };
    }

    pub(crate) fn has(self, flag: u16) -> bool {
        self.frame_flags() & flag != 0
    }

    pub(crate) fn set(self, flag: u16) {
        self.set_frame_flags(self.frame_flags() | flag);
    }

    pub(crate) fn clear(self, flag: u16) {
        self.set_frame_flags(self.frame_flags() & !flag);
    }
}
