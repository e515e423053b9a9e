//! From buffer indices to buffers: `vlib_get_buffer`.

use core::ptr::NonNull;

use vppkit_sys::vlib::buffer::{VLIB_BUFFER_LOG2_ALIGN, vlib_buffer_t};
use vppkit_sys::vlib::main::vlib_main_t;

/// Where the memory starts that buffer indices count in.
#[derive(Clone, Copy)]
pub(crate) struct BufferMemory {
    start: usize,
}

impl BufferMemory {
    /// Reads it from `vlib_buffer_main_t`. It does not change while a node function runs.
    ///
    /// # Safety
    /// `vm` is a thread's of a running VPP.
    #[inline(always)]
    pub(crate) unsafe fn of(vm: NonNull<vlib_main_t>) -> Self {
        // SAFETY: the caller's promise. No reference is made and the record as a whole is not read: 25.10 allocates it
        // with less alignment than its type has (`vlib/buffer.c`, `vlib_buffer_main_alloc`).
        Self { start: unsafe { (&raw const (*(*vm.as_ptr()).buffer_main).buffer_mem_start).read() } }
    }

    /// The buffer of an index. An index counts units of 64 bytes; no buffer is at address 0.
    ///
    /// # Safety
    /// `index` is that of a buffer.
    #[inline(always)]
    pub(crate) unsafe fn buffer(self, index: u32) -> NonNull<vlib_buffer_t> {
        let address = self.start + ((index as usize) << VLIB_BUFFER_LOG2_ALIGN);
        // SAFETY: the caller's promise.
        unsafe { NonNull::new_unchecked(core::ptr::with_exposed_provenance_mut(address)) }
    }
}
