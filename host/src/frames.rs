//! Frames: getting one for a next node, filling it, putting it, and who owns it (`vlib/main.c`).

use vppkit_sys::vlib::frame::{
    VLIB_FRAME_DATA_ALIGN, VLIB_FRAME_FREE_AFTER_DISPATCH, VLIB_FRAME_IS_ALLOCATED, VLIB_FRAME_NO_APPEND,
    VLIB_FRAME_NO_FREE_AFTER_DISPATCH, VLIB_FRAME_OWNER, VLIB_FRAME_PENDING, VLIB_FRAME_SIZE,
    VLIB_FRAME_SIZE_EXTRA, VLIB_PENDING_FRAME_NO_NEXT_FRAME, vlib_frame_t, vlib_pending_frame_t,
};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{VLIB_NODE_FLAG_TRACE, vlib_node_runtime_t};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::sanitize::{self, ViolationKind};
use crate::state::{next_frame, node, state};
use crate::vec;

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
    unsafe { frame.cast::<u8>().add((*frame).vector_offset as usize).cast() }
}

/// An empty frame for a node.
///
/// # Safety
/// `vm` is the host's, `to` a node's index.
pub(crate) unsafe fn alloc_to_node(vm: *mut vlib_main_t, to: u32, flags: u16) -> *mut vlib_frame_t {
    // SAFETY: by contract; `frame_sizes` has an entry for each node's size.
    unsafe {
        let to = node(vm, to);
        let sizes = (*vm).node_main.frame_sizes.add((*to).frame_size_index as usize);
        let free = vec_len((*sizes).free_frames);
        let frame = if free > 0 {
            let frame = *(*sizes).free_frames.add(free - 1);
            vec::resize(&raw mut (*sizes).free_frames, free - 1);
            frame
        } else {
            let frame = vec::zeroed((*sizes).frame_size as usize).cast::<vlib_frame_t>();
            state(vm).frames.push(frame);
            frame
        };
        if state(vm).ledger.is_some() {
            frame.cast::<u8>().write_bytes(POISON, (*sizes).frame_size as usize);
        }
        (*frame).frame_flags = VLIB_FRAME_IS_ALLOCATED | flags;
        (*frame).flags = 0;
        (*frame).n_vectors = 0;
        (*frame).scalar_offset = (*to).scalar_offset;
        (*frame).vector_offset = (*to).vector_offset;
        (*frame).aux_offset = (*to).aux_offset;
        (*frame).frame_size_index = (*to).frame_size_index;
        frame.cast::<u8>().add((*to).magic_offset as usize).cast::<u32>().write_unaligned(MAGIC);
        (*sizes).n_alloc_frames += 1;
        frame
    }
}

/// VPP's `vlib_frame_free`.
pub(crate) unsafe extern "C" fn frame_free(vm: *mut vlib_main_t, frame: *mut vlib_frame_t) {
    // SAFETY: `frame` is an allocated frame of the host's.
    unsafe {
        let sizes = (*vm).node_main.frame_sizes.add((*frame).frame_size_index as usize);
        (*frame).frame_flags &= !(VLIB_FRAME_IS_ALLOCATED | VLIB_FRAME_NO_APPEND);
        (*frame).flags = 0;
        vec::push(&raw mut (*sizes).free_frames, frame);
        (*sizes).n_alloc_frames = (*sizes).n_alloc_frames.saturating_sub(1);
    }
}

/// Gives a node the right to enqueue to a next node, and with it the frame that the owner had begun.
unsafe fn change_ownership(vm: *mut vlib_main_t, rt: *mut vlib_node_runtime_t, next: u32) {
    // SAFETY: as for `get_next_frame`.
    unsafe {
        let nm = &raw mut (*vm).node_main;
        let n = node(vm, (*rt).node_index);
        let mine = next_frame(vm, rt, next);
        let to = node(vm, *(*n).next_nodes.add(next as usize));
        if (*to).owner_node_index == !0 {
            (*mine).flags |= u32::from(VLIB_FRAME_OWNER);
        } else {
            let owner = crate::state::runtime(vm, (*to).owner_node_index);
            let theirs = next_frame(vm, owner, (*to).owner_next_index);
            mine.swap(theirs);
            // Frames that wait must find the next frame that now stands for them.
            if (*mine).flags & u32::from(VLIB_FRAME_PENDING) != 0 && !(*mine).frame.is_null() {
                let at = mine.offset_from((*nm).next_frames) as u32;
                for i in 0..vec_len((*nm).pending_frames) {
                    let pending = (*nm).pending_frames.add(i);
                    if (*pending).frame == (*mine).frame {
                        (*pending).next_frame_index = at;
                    }
                }
            }
        }
        (*to).owner_node_index = (*n).index;
        (*to).owner_next_index = next;
    }
}

/// VPP's `vlib_get_next_frame_internal`.
pub(crate) unsafe extern "C" fn get_next_frame(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    next: u32,
    fresh: u32,
) -> *mut vlib_frame_t {
    // SAFETY: nodes pass their own runtime; `next` is checked.
    unsafe {
        if next >= u32::from((*rt).n_next_nodes) {
            let stray = state(vm).stray;
            (*stray).n_vectors = 0;
            return stray;
        }
        let nf = next_frame(vm, rt, next);
        if (*nf).flags & u32::from(VLIB_FRAME_OWNER) == 0 {
            change_ownership(vm, rt, next);
        }
        let n = node(vm, (*rt).node_index);
        let to = *(*n).next_nodes.add(next as usize);
        if (*nf).flags & u32::from(VLIB_FRAME_IS_ALLOCATED) == 0 {
            (*nf).frame = alloc_to_node(vm, to, 0);
            (*nf).flags |= u32::from(VLIB_FRAME_IS_ALLOCATED);
        }
        let frame = (*nf).frame;
        // The frame was dispatched meanwhile: it is empty again.
        if (*nf).flags & u32::from(VLIB_FRAME_PENDING) != 0 && (*frame).frame_flags & VLIB_FRAME_PENDING == 0
        {
            (*nf).flags &= !u32::from(VLIB_FRAME_PENDING);
            (*frame).n_vectors = 0;
            (*frame).flags = 0;
        }
        let used = usize::from((*frame).n_vectors);
        if used < VLIB_FRAME_SIZE
            && !(fresh != 0 && used > 0)
            && (*frame).frame_flags & VLIB_FRAME_NO_APPEND == 0
        {
            return frame;
        }
        // The next frame will stand for a new frame; the full one is freed once dispatched.
        if (*nf).flags & u32::from(VLIB_FRAME_NO_FREE_AFTER_DISPATCH) == 0 {
            (*frame).frame_flags |= VLIB_FRAME_FREE_AFTER_DISPATCH;
        }
        (*nf).frame = alloc_to_node(vm, to, 0);
        (*nf).frame
    }
}

/// VPP's `vlib_put_next_frame`.
pub(crate) unsafe extern "C" fn put_next_frame(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    next: u32,
    n_left: u32,
) {
    // SAFETY: nodes pass their own runtime and a next for which they got a frame; both are checked.
    unsafe {
        let from = (*rt).node_index;
        let n = n_filled(vm, from, n_left);
        if next >= u32::from((*rt).n_next_nodes) {
            strays(vm, rt, next, std::slice::from_raw_parts(vectors(state(vm).stray), n));
            return;
        }
        let nf = next_frame(vm, rt, next);
        let frame = (*nf).frame;
        let to = *(*node(vm, from)).next_nodes.add(next as usize);
        let before = usize::from((*frame).n_vectors);
        let mut n = n;
        if n > before {
            let added = std::slice::from_raw_parts_mut(vectors(frame).add(before), n - before);
            n = before + sanitize::handed_on(vm, from, to, added);
        }
        check_magic(vm, from, to, frame);
        (*frame).n_vectors = n as u16;
        if n == 0 {
            return;
        }
        (*rt).cached_next_index = next as u16;
        let nf = next_frame(vm, rt, next);
        if (*frame).frame_flags & VLIB_FRAME_PENDING == 0 {
            let at = nf.offset_from((*vm).node_main.next_frames) as u32;
            let pending = vlib_pending_frame_t {
                frame,
                node_runtime_index: (*nf).node_runtime_index,
                next_frame_index: at,
            };
            vec::push(&raw mut (*vm).node_main.pending_frames, pending);
            (*nf).flags |= u32::from(VLIB_FRAME_PENDING);
            (*frame).frame_flags |= VLIB_FRAME_PENDING;
        }
        (*nf).flags |= u32::from((*rt).flags & VLIB_NODE_FLAG_TRACE);
        // VPP adds the whole frame at each put, so vectors of a frame that is put twice count twice; here once.
        let total = (*nf).vectors_since_last_overflow;
        let sum = total.wrapping_add((n - before.min(n)) as u32);
        (*nf).vectors_since_last_overflow = sum;
        if sum < total {
            *(*node(vm, from)).n_vectors_by_next_node.add(next as usize) += 1 << 32;
        }
    }
}

/// How many vectors a node says that a frame has.
unsafe fn n_filled(vm: *mut vlib_main_t, from: u32, n_left: u32) -> usize {
    let n = (VLIB_FRAME_SIZE as u32).wrapping_sub(n_left) as i32;
    if (0..=VLIB_FRAME_SIZE as i32).contains(&n) {
        return n as usize;
    }
    // SAFETY: as for `put_next_frame`.
    let st = unsafe { state(vm) };
    st.faults.add(ViolationKind::FrameOverrun, from, || {
        format!("put a frame with {n_left} slots left; a frame has {VLIB_FRAME_SIZE}")
    });
    if n < 0 { 0 } else { VLIB_FRAME_SIZE }
}

unsafe fn check_magic(vm: *mut vlib_main_t, from: u32, to: u32, frame: *mut vlib_frame_t) {
    // SAFETY: as for `put_next_frame`.
    unsafe {
        let magic = frame.cast::<u8>().add((*node(vm, to)).magic_offset as usize).cast::<u32>();
        if magic.read_unaligned() != MAGIC {
            magic.write_unaligned(MAGIC);
            state(vm).faults.add(ViolationKind::FrameOverrun, from, || {
                format!("wrote behind the {VLIB_FRAME_SIZE} vectors of a frame")
            });
        }
    }
}

/// Buffers that were enqueued to a next index that the node does not have.
unsafe fn strays(vm: *mut vlib_main_t, rt: *mut vlib_node_runtime_t, next: u32, indices: &[u32]) {
    // SAFETY: as for `put_next_frame`; the ledger says whether an index is a buffer.
    unsafe {
        let (from, n_next) = ((*rt).node_index, (*rt).n_next_nodes);
        for &index in indices {
            let st = state(vm);
            st.faults.add(ViolationKind::NoNext, from, || {
                format!("enqueued buffer {index} to next index {next}; the node has {n_next} next nodes")
            });
            if st.pool.slot_of(index).is_some() {
                sanitize::lose(vm, from, index);
            }
        }
    }
}

/// VPP's `vlib_get_frame_to_node`.
pub(crate) unsafe extern "C" fn get_frame_to_node(vm: *mut vlib_main_t, to: u32) -> *mut vlib_frame_t {
    // SAFETY: callers pass a node's index.
    unsafe { alloc_to_node(vm, to, VLIB_FRAME_FREE_AFTER_DISPATCH) }
}

/// VPP's `vlib_put_frame_to_node`.
pub(crate) unsafe extern "C" fn put_frame_to_node(vm: *mut vlib_main_t, to: u32, frame: *mut vlib_frame_t) {
    // SAFETY: callers pass the frame that they got for this node.
    unsafe {
        let from = state(vm).current;
        let mut n = usize::from((*frame).n_vectors);
        if n > VLIB_FRAME_SIZE {
            state(vm).faults.add(ViolationKind::FrameOverrun, from, || {
                format!("put a frame with {n} vectors; a frame has {VLIB_FRAME_SIZE}")
            });
            n = VLIB_FRAME_SIZE;
        }
        check_magic(vm, from, to, frame);
        n = sanitize::handed_on(vm, from, to, std::slice::from_raw_parts_mut(vectors(frame), n));
        (*frame).n_vectors = n as u16;
        if n == 0 {
            return;
        }
        (*frame).frame_flags |= VLIB_FRAME_PENDING;
        let pending = vlib_pending_frame_t {
            frame,
            node_runtime_index: (*node(vm, to)).runtime_index,
            next_frame_index: VLIB_PENDING_FRAME_NO_NEXT_FRAME,
        };
        vec::push(&raw mut (*vm).node_main.pending_frames, pending);
    }
}

/// Appends buffers to the frames for one next node.
unsafe fn enqueue(vm: *mut vlib_main_t, rt: *mut vlib_node_runtime_t, next: u32, mut indices: &[u32]) {
    // SAFETY: as for `enqueue_to_next`.
    unsafe {
        while !indices.is_empty() {
            let frame = get_next_frame(vm, rt, next, 0);
            let used = usize::from((*frame).n_vectors);
            let n = indices.len().min(VLIB_FRAME_SIZE - used);
            vectors(frame).add(used).copy_from_nonoverlapping(indices.as_ptr(), n);
            put_next_frame(vm, rt, next, (VLIB_FRAME_SIZE - used - n) as u32);
            indices = &indices[n..];
        }
    }
}

/// `vlib_buffer_enqueue_to_next`: for each 256 buffers, first all that go where the first goes, then all
/// that go where the first of the rest goes, and so on.
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
    // SAFETY: callers pass arrays of `count`.
    let (buffers, nexts) =
        unsafe { (std::slice::from_raw_parts(buffers, count), std::slice::from_raw_parts(nexts, count)) };
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
            // SAFETY: by contract of the caller; `next` is checked further on.
            unsafe { enqueue(vm, rt, u32::from(next), &batch[..n]) };
            while at < buffers.len() && used[at] {
                at += 1;
            }
        }
    }
}

/// `vlib_buffer_enqueue_to_single_next`.
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
    // SAFETY: callers pass an array of `count`.
    unsafe { enqueue(vm, rt, u32::from(next), std::slice::from_raw_parts(buffers, count as usize)) };
}
