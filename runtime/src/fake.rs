//! Buffers and a frame as VPP lays them out, for unit tests.

use core::ptr::NonNull;

use vppkit_sys::vlib::buffer::{
    VLIB_BUFFER_LOG2_ALIGN, VLIB_BUFFER_NEXT_PRESENT, vlib_buffer_main_t, vlib_buffer_t,
};
use vppkit_sys::vlib::frame::{VLIB_FRAME_SIZE, vlib_frame_t};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_runtime_t;

use crate::Packet;

/// Bytes of data in each buffer.
pub(crate) const DATA_SIZE: usize = 256;
const STRIDE: usize = size_of::<vlib_buffer_t>() + DATA_SIZE;
/// The first buffers stay unused: index 0 would be a buffer at the start of the memory.
const FIRST: usize = 1;

#[repr(C, align(64))]
#[derive(Clone)]
struct Slot([u8; STRIDE]);

/// A thread of VPP's with buffers and one frame.
pub(crate) struct Fake {
    memory: Box<[Slot]>,
    used: usize,
    buffer_main: Box<vlib_buffer_main_t>,
    vm: Box<vlib_main_t>,
    runtime: Box<vlib_node_runtime_t>,
    frame: Box<[u32]>,
    errors: Vec<u16>,
}

/// Everything in it may be zero.
fn zeroed<T>() -> Box<T> {
    // SAFETY: only called for mirrors of C records: numbers, pointers, and functions that may be NULL.
    unsafe { Box::<T>::new_zeroed().assume_init() }
}

impl Fake {
    pub(crate) fn new() -> Self {
        let mut memory = vec![Slot([0; STRIDE]); FIRST + VLIB_FRAME_SIZE + 8].into_boxed_slice();
        let mut buffer_main: Box<vlib_buffer_main_t> = zeroed();
        buffer_main.buffer_mem_start = memory.as_mut_ptr().expose_provenance();
        buffer_main.default_data_size = DATA_SIZE as u32;
        let mut vm: Box<vlib_main_t> = zeroed();
        vm.buffer_main = &raw mut *buffer_main;
        let frame = vec![0; 8 + VLIB_FRAME_SIZE].into_boxed_slice();
        Self { memory, used: FIRST, buffer_main, vm, runtime: zeroed(), frame, errors: Vec::new() }
    }

    /// Adds a packet to the frame.
    pub(crate) fn add(&mut self, data: &[u8]) -> &mut vlib_buffer_t {
        let at = self.used;
        self.used += 1;
        let slot = &mut self.memory[at].0;
        slot[size_of::<vlib_buffer_t>()..][..data.len()].copy_from_slice(data);
        let buffer = self.buffer_mut(at - FIRST);
        buffer.current_length = data.len() as u16;
        *buffer.ref_count.get_mut() = 1;
        buffer
    }

    /// Puts the packet that was added last behind the one before.
    pub(crate) fn chain_last(&mut self) {
        let index = self.index(self.used - FIRST - 1);
        let before = self.buffer_mut(self.used - FIRST - 2);
        before.flags |= VLIB_BUFFER_NEXT_PRESENT;
        before.next_buffer = index;
    }

    fn index(&self, at: usize) -> u32 {
        (((FIRST + at) * STRIDE) >> VLIB_BUFFER_LOG2_ALIGN) as u32
    }

    pub(crate) fn indices(&self) -> Vec<u32> {
        (0..self.used - FIRST).map(|at| self.index(at)).collect()
    }

    fn pointer(&self, at: usize) -> *mut vlib_buffer_t {
        let address = self.buffer_main.buffer_mem_start + (FIRST + at) * STRIDE;
        core::ptr::with_exposed_provenance_mut(address)
    }

    pub(crate) fn buffer(&self, at: usize) -> &vlib_buffer_t {
        // SAFETY: a slot of the memory, which lives as long as `self`.
        unsafe { &*self.pointer(at) }
    }

    pub(crate) fn buffer_mut(&mut self, at: usize) -> &mut vlib_buffer_t {
        // SAFETY: a slot of the memory, which lives as long as `self`; `&mut self` is the only way to it.
        unsafe { &mut *self.pointer(at) }
    }

    /// The first packet, as a node sees it.
    pub(crate) fn packet(&mut self) -> Packet<'_> {
        let (vm, buffer) = (NonNull::from(&mut *self.vm), NonNull::new(self.pointer(0)).unwrap());
        // SAFETY: the packet borrows `self`, so nothing else touches its buffer.
        unsafe { Packet::new(vm, buffer) }
    }

    /// The arguments of a node function.
    pub(crate) fn call(
        &mut self,
        errors: &[u16],
    ) -> (*mut vlib_main_t, *mut vlib_node_runtime_t, *mut vlib_frame_t) {
        let indices = self.indices();
        self.errors = errors.to_vec();
        self.runtime.errors = self.errors.as_mut_ptr();
        let frame = self.frame.as_mut_ptr().cast::<vlib_frame_t>();
        // SAFETY: 32 bytes for the frame's head, then the indices.
        unsafe {
            (*frame).vector_offset = 32;
            (*frame).n_vectors = indices.len() as u16;
        }
        self.frame[8..8 + indices.len()].copy_from_slice(&indices);
        (&raw mut *self.vm, &raw mut *self.runtime, self.frame.as_mut_ptr().cast())
    }
}

/// The bytes of `opaque`.
pub(crate) trait OpaqueBytes {
    fn opaque_bytes(&mut self) -> &mut [u8; 40];
}

impl OpaqueBytes for vlib_buffer_t {
    fn opaque_bytes(&mut self) -> &mut [u8; 40] {
        // SAFETY: ten words are forty bytes.
        unsafe { &mut *(&raw mut self.opaque).cast() }
    }
}
