//! Frames: getting one for a next node, filling it, putting it, and who owns it (`vlib/main.c`).

use vppkit_sys::vlib::frame::{
    VLIB_FRAME_DATA_ALIGN, VLIB_FRAME_FREE_AFTER_DISPATCH, VLIB_FRAME_IS_ALLOCATED, VLIB_FRAME_NO_APPEND,
    VLIB_FRAME_NO_FREE_AFTER_DISPATCH, VLIB_FRAME_OWNER, VLIB_FRAME_PENDING, VLIB_FRAME_SIZE,
    VLIB_FRAME_SIZE_EXTRA, VLIB_PENDING_FRAME_NO_NEXT_FRAME, vlib_frame_t,
};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{VLIB_NODE_FLAG_TRACE, vlib_node_runtime_t};

use crate::sanitize::{self, ViolationKind};
use crate::vm::{Frame, Runtime, Vm};

/// What VPP writes behind the vectors of a frame.
const MAGIC: u32 = 0xabad_c0ed;
/// What fills the vectors of a fresh frame when the sanitizer is on.
const POISON: u8 = 0xfe;

/// Where the vectors of a frame start, and its size, for a node's argument sizes.
pub(crate) struct Shape {
    pub(crate) scalar_offset: usize,
    pub(crate) vector_offset: usize,
    pub(crate) magic_offset: usize,
    pub(crate) aux_offset: usize,
    pub(crate) size: usize,
}

impl Shape {
    pub(crate) fn new(scalar: usize, vector: usize, aux: usize) -> Self {
        let mut size = size_of::<vlib_frame_t>().next_multiple_of(VLIB_FRAME_DATA_ALIGN);
        let scalar_offset = if scalar > 0 { size } else { 0 };
        size += scalar.next_multiple_of(VLIB_FRAME_DATA_ALIGN);
        let vector_offset = size;
        size += vector * (VLIB_FRAME_SIZE + VLIB_FRAME_SIZE_EXTRA);
        let magic_offset = size;
        size = (size + size_of::<u32>()).next_multiple_of(VLIB_FRAME_DATA_ALIGN);
        let aux_offset = if aux > 0 { size } else { 0 };
        size += aux * VLIB_FRAME_SIZE;
        Self { scalar_offset, vector_offset, magic_offset, aux_offset, size: size.next_multiple_of(64) }
    }
}

/// The buffer indices of a frame.
///
/// # Safety
/// `frame` is a frame of the host's.
pub(crate) unsafe fn vectors(frame: *mut vlib_frame_t) -> *mut u32 {
    // SAFETY: by contract.
    unsafe { Frame::new(frame) }.vectors()
}

/// An empty frame for a node.
fn alloc_to_node(vm: Vm, to: u32, flags: u16) -> Frame {
    let to = vm.node(to);
    let size = vm.frame_size(to.frame_size_index());
    let frame = size.take_free().unwrap_or_else(|| {
        let frame = size.make();
        vm.state().frames.push(frame);
        frame
    });
    if vm.state().ledger.is_some() {
        size.fill(frame, POISON);
    }
    frame.set_frame_flags(VLIB_FRAME_IS_ALLOCATED | flags);
    frame.set_flags(0);
    frame.set_n_vectors(0);
    frame.set_scalar_offset(to.scalar_offset());
    frame.set_vector_offset(to.vector_offset());
    frame.set_aux_offset(to.aux_offset());
    frame.set_frame_size_index(to.frame_size_index());
    frame.write_magic(to, MAGIC);
    size.set_n_alloc_frames(size.n_alloc_frames() + 1);
    frame
}

/// Puts a frame that nobody fills or handles any more where the next one is taken from.
pub(crate) fn free(vm: Vm, frame: Frame) {
    let size = vm.frame_size(frame.frame_size_index());
    frame.clear(VLIB_FRAME_IS_ALLOCATED | VLIB_FRAME_NO_APPEND);
    frame.set_flags(0);
    size.put_free(frame);
    size.set_n_alloc_frames(size.n_alloc_frames().saturating_sub(1));
}

/// VPP's `vlib_frame_free`.
///
/// # Safety
/// `vm` is the host's, `frame` an allocated frame of it that nobody uses any more.
pub(crate) unsafe extern "C" fn frame_free(vm: *mut vlib_main_t, frame: *mut vlib_frame_t) {
    // SAFETY: by contract.
    unsafe { free(Vm::new(vm), Frame::new(frame)) };
}

/// Gives a node the right to enqueue to a next node, and with it the frame that the owner had begun.
fn change_ownership(vm: Vm, rt: Runtime, next: u32) {
    let n = vm.node(rt.node_index());
    let mine = rt.next_frame(next);
    let to = vm.node(n.next(next));
    if to.owner_node_index() == !0 {
        mine.set(VLIB_FRAME_OWNER);
    } else {
        let theirs = vm.runtime(to.owner_node_index()).next_frame(to.owner_next_index());
        mine.swap(theirs);
        // Frames that wait must find the next frame that now stands for them.
        if mine.has(VLIB_FRAME_PENDING)
            && let Some(frame) = mine.frame()
        {
            for pending in (0..vm.n_pending()).map(|i| vm.pending(i)) {
                if pending.frame().is(frame) {
                    pending.set_next_frame_index(mine.index());
                }
            }
        }
    }
    to.set_owner_node_index(n.index());
    to.set_owner_next_index(next);
}

/// The frame that a node fills for a next index that it has.
fn frame_for(vm: Vm, rt: Runtime, next: u32, fresh: bool) -> Frame {
    let nf = rt.next_frame(next);
    if !nf.has(VLIB_FRAME_OWNER) {
        change_ownership(vm, rt, next);
    }
    let to = vm.node(rt.node_index()).next(next);
    let begun = if nf.has(VLIB_FRAME_IS_ALLOCATED) { nf.frame() } else { None };
    let frame = begun.unwrap_or_else(|| {
        let frame = alloc_to_node(vm, to, 0);
        nf.set_frame(Some(frame));
        nf.set(VLIB_FRAME_IS_ALLOCATED);
        frame
    });
    // The frame was dispatched meanwhile: it is empty again.
    if nf.has(VLIB_FRAME_PENDING) && !frame.has(VLIB_FRAME_PENDING) {
        nf.clear(VLIB_FRAME_PENDING);
        frame.set_n_vectors(0);
        frame.set_flags(0);
    }
    let used = usize::from(frame.n_vectors());
    if used < VLIB_FRAME_SIZE && !(fresh && used > 0) && !frame.has(VLIB_FRAME_NO_APPEND) {
        return frame;
    }
    // The next frame will stand for a new frame; the full one is freed once dispatched.
    if !nf.has(VLIB_FRAME_NO_FREE_AFTER_DISPATCH) {
        frame.set(VLIB_FRAME_FREE_AFTER_DISPATCH);
    }
    let frame = alloc_to_node(vm, to, 0);
    nf.set_frame(Some(frame));
    frame
}

/// The handles for what a node passes to one of VPP's functions.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it.
unsafe fn handles(vm: *mut vlib_main_t, rt: *mut vlib_node_runtime_t) -> (Vm, Runtime) {
    // SAFETY: by contract.
    let (vm, index) = unsafe { (Vm::new(vm), (*rt).node_index) };
    (vm, vm.runtime(index))
}

/// VPP's `vlib_get_next_frame_internal`.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it. `next` may be any.
pub(crate) unsafe extern "C" fn get_next_frame(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    next: u32,
    fresh: u32,
) -> *mut vlib_frame_t {
    // SAFETY: by contract.
    let (vm, rt) = unsafe { handles(vm, rt) };
    if next >= u32::from(rt.n_next_nodes()) {
        let stray = vm.state().stray;
        stray.set_n_vectors(0);
        return stray.ptr();
    }
    frame_for(vm, rt, next, fresh != 0).ptr()
}

/// VPP's `vlib_put_next_frame`.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it. `next` and `n_left` may be any.
pub(crate) unsafe extern "C" fn put_next_frame(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    next: u32,
    n_left: u32,
) {
    // SAFETY: by contract.
    let (vm, rt) = unsafe { handles(vm, rt) };
    put(vm, rt, next, n_left);
}

fn put(vm: Vm, rt: Runtime, next: u32, n_left: u32) {
    let from = rt.node_index();
    let n = n_filled(vm, from, n_left);
    if next >= u32::from(rt.n_next_nodes()) {
        let stray = vm.state().stray;
        let (indices, n) = stray.read(0, n);
        strays(vm, rt, next, &indices[..n]);
        return;
    }
    let nf = rt.next_frame(next);
    let Some(frame) = nf.frame() else {
        vm.state().faults.add(ViolationKind::FrameOverrun, from, || {
            format!("put a frame for next index {next} without having got one")
        });
        return;
    };
    let to = vm.node(from).next(next);
    let before = usize::from(frame.n_vectors()).min(VLIB_FRAME_SIZE);
    let n = if n > before { before + hand_on(vm, from, to, frame, before, n) } else { n };
    check_magic(vm, from, to, frame);
    frame.set_n_vectors(n as u16);
    if n == 0 {
        return;
    }
    rt.set_cached_next_index(next as u16);
    if !frame.has(VLIB_FRAME_PENDING) {
        vm.push_pending(frame, nf.node_runtime_index(), nf.index());
        nf.set(VLIB_FRAME_PENDING);
        frame.set(VLIB_FRAME_PENDING);
    }
    nf.set(rt.flags() & VLIB_NODE_FLAG_TRACE);
    // VPP adds the whole frame at each put, so vectors of a frame that is put twice count twice; here once.
    let total = nf.vectors_since_last_overflow();
    let sum = total.wrapping_add((n - before.min(n)) as u32);
    nf.set_vectors_since_last_overflow(sum);
    if sum < total {
        // The 32 bits have overflowed.
        vm.node(from).count_next(next, 1 << 32);
    }
}

/// Shows the ledger what is in a frame from `start` to `end`, and gives how much of it may stay.
fn hand_on(vm: Vm, from: u32, to: u32, frame: Frame, start: usize, end: usize) -> usize {
    if vm.state().ledger.is_none() {
        return end - start;
    }
    let (mut indices, n) = frame.read(start, end);
    let kept = sanitize::handed_on(vm, from, to, &mut indices[..n]);
    if kept < n {
        frame.write(start, &indices[..kept]);
    }
    kept
}

/// How many vectors a node says that a frame has.
fn n_filled(vm: Vm, from: u32, n_left: u32) -> usize {
    let n = (VLIB_FRAME_SIZE as u32).wrapping_sub(n_left) as i32;
    if (0..=VLIB_FRAME_SIZE as i32).contains(&n) {
        return n as usize;
    }
    vm.state().faults.add(ViolationKind::FrameOverrun, from, || {
        format!("put a frame with {n_left} slots left; a frame has {VLIB_FRAME_SIZE}")
    });
    if n < 0 { 0 } else { VLIB_FRAME_SIZE }
}

/// Reports what was written behind a frame's vectors.
fn check_magic(vm: Vm, from: u32, to: u32, frame: Frame) {
    let to = vm.node(to);
    if frame.read_magic(to) != MAGIC {
        frame.write_magic(to, MAGIC);
        vm.state().faults.add(ViolationKind::FrameOverrun, from, || {
            format!("wrote behind the {VLIB_FRAME_SIZE} vectors of a frame")
        });
    }
}

/// Buffers that were enqueued to a next index that the node does not have.
fn strays(vm: Vm, rt: Runtime, next: u32, indices: &[u32]) {
    let (from, n_next) = (rt.node_index(), rt.n_next_nodes());
    for &index in indices {
        vm.state().faults.add(ViolationKind::NoNext, from, || {
            format!("enqueued buffer {index} to next index {next}; the node has {n_next} next nodes")
        });
        sanitize::lose(vm, from, index);
    }
}

/// VPP's `vlib_get_frame_to_node`.
///
/// # Safety
/// `vm` is the host's, `to` a node's index.
pub(crate) unsafe extern "C" fn get_frame_to_node(vm: *mut vlib_main_t, to: u32) -> *mut vlib_frame_t {
    // SAFETY: by contract.
    alloc_to_node(unsafe { Vm::new(vm) }, to, VLIB_FRAME_FREE_AFTER_DISPATCH).ptr()
}

/// VPP's `vlib_put_frame_to_node`.
///
/// # Safety
/// `vm` is the host's, `frame` comes from [`get_frame_to_node`] for the node `to`.
pub(crate) unsafe extern "C" fn put_frame_to_node(vm: *mut vlib_main_t, to: u32, frame: *mut vlib_frame_t) {
    // SAFETY: by contract.
    let (vm, frame) = unsafe { (Vm::new(vm), Frame::new(frame)) };
    let from = vm.state().current;
    let mut n = usize::from(frame.n_vectors());
    if n > VLIB_FRAME_SIZE {
        vm.state().faults.add(ViolationKind::FrameOverrun, from, || {
            format!("put a frame with {n} vectors; a frame has {VLIB_FRAME_SIZE}")
        });
        n = VLIB_FRAME_SIZE;
    }
    check_magic(vm, from, to, frame);
    n = hand_on(vm, from, to, frame, 0, n);
    frame.set_n_vectors(n as u16);
    if n == 0 {
        return;
    }
    frame.set(VLIB_FRAME_PENDING);
    vm.push_pending(frame, vm.node(to).runtime_index(), VLIB_PENDING_FRAME_NO_NEXT_FRAME);
}

/// Appends buffers to the frames for one next node.
fn enqueue(vm: Vm, rt: Runtime, next: u32, mut indices: &[u32]) {
    if next >= u32::from(rt.n_next_nodes()) {
        strays(vm, rt, next, indices);
        return;
    }
    while !indices.is_empty() {
        let frame = frame_for(vm, rt, next, false);
        let used = usize::from(frame.n_vectors());
        let n = indices.len().min(VLIB_FRAME_SIZE - used);
        frame.write(used, &indices[..n]);
        put(vm, rt, next, (VLIB_FRAME_SIZE - used - n) as u32);
        indices = &indices[n..];
    }
}

/// `vlib_buffer_enqueue_to_next`: for each 256 buffers, first all that go where the first goes, then all
/// that go where the first of the rest goes, and so on.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it, and both arrays have `count` elements. They may hold anything.
pub(crate) unsafe extern "C" fn enqueue_to_next(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    buffers: *mut u32,
    nexts: *mut u16,
    count: usize,
) {
    if count == 0 {
        return;
    }
    // SAFETY: by contract.
    let ((vm, rt), buffers, nexts) = unsafe {
        (
            handles(vm, rt),
            std::slice::from_raw_parts(buffers, count),
            std::slice::from_raw_parts(nexts, count),
        )
    };
    for (buffers, nexts) in buffers.chunks(VLIB_FRAME_SIZE).zip(nexts.chunks(VLIB_FRAME_SIZE)) {
        let mut used = [false; VLIB_FRAME_SIZE];
        let mut batch = [0; VLIB_FRAME_SIZE];
        let mut at = 0;
        while at < buffers.len() {
            let next = nexts[at];
            let mut n = 0;
            for i in at..buffers.len() {
                if nexts[i] == next && !used[i] {
                    used[i] = true;
                    batch[n] = buffers[i];
                    n += 1;
                }
            }
            enqueue(vm, rt, u32::from(next), &batch[..n]);
            while at < buffers.len() && used[at] {
                at += 1;
            }
        }
    }
}

/// `vlib_buffer_enqueue_to_single_next`.
///
/// # Safety
/// `vm` is the host's, `rt` a runtime of it, and the array has `count` elements. They may be anything.
pub(crate) unsafe extern "C" fn enqueue_to_single_next(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    buffers: *mut u32,
    next: u16,
    count: u32,
) {
    if count == 0 {
        return;
    }
    // SAFETY: by contract.
    let ((vm, rt), buffers) =
        unsafe { (handles(vm, rt), std::slice::from_raw_parts(buffers, count as usize)) };
    enqueue(vm, rt, u32::from(next), buffers);
}
