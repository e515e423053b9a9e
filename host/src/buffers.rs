//! The buffer pool, laid out as VPP's: its inline functions work on it.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use vppkit_sys::vlib::buffer::{
    VLIB_BUFFER_LOG2_ALIGN, VLIB_BUFFER_NEXT_PRESENT, VLIB_BUFFER_TOTAL_LENGTH_VALID, vlib_buffer_main_t,
    vlib_buffer_pool_t, vlib_buffer_pool_thread_t, vlib_buffer_t,
};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vppinfra::vec::vec_len;

use crate::sanitize;
use crate::vec;
use crate::vm::Vm;

/// A packet that came from no capture.
pub(crate) const NO_PACKET: u64 = !0;

/// Bytes behind each buffer's data that nothing may write, when the sanitizer is on.
pub(crate) const CANARY_BYTES: usize = 128;

/// `vlib_buffer_pool_thread_t` caches this many.
const CACHE: usize = 512;

/// Where the buffers are.
pub(crate) struct Pool {
    pub(crate) main: *mut vlib_buffer_main_t,
    memory: *mut u8,
    mapped: usize,
    stride: usize,
    pub(crate) data_size: usize,
    pub(crate) count: usize,
    /// Which packet of the input is in each buffer.
    pub(crate) packet: Vec<u64>,
    /// When it was captured, in nanoseconds.
    pub(crate) time: Vec<u64>,
}

impl Pool {
    /// Maps memory for `count` buffers of `data_size` bytes and fills VPP's structures.
    pub(crate) fn new(count: usize, data_size: usize, canary: usize) -> Self {
        let stride = (size_of::<vlib_buffer_t>() + data_size + canary).next_multiple_of(64);
        // One unit before the first, since index 0 is never a buffer, and one behind the last.
        let mapped = (stride * (count + 2)).next_multiple_of(4096);
        // SAFETY: an anonymous mapping of fresh memory.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert!(memory != libc::MAP_FAILED, "no memory for {count} buffers of {data_size} bytes");

        // In C the record goes on behind what the mirror names.
        let main = vec::zeroed(512).cast::<vlib_buffer_main_t>();
        let mut pool = Self {
            main,
            memory: memory.cast(),
            mapped,
            stride,
            data_size,
            count,
            packet: std::vec![NO_PACKET; count],
            time: std::vec![0; count],
        };
        pool.fill();
        pool
    }

    fn fill(&mut self) {
        // SAFETY: the records are zeroed and ours; nothing else knows them yet.
        unsafe {
            let main = self.main;
            (*main).buffer_mem_start = self.memory as usize;
            (*main).buffer_mem_size = self.mapped;
            (*main).default_data_size = self.data_size as u32;
            (*main).default_buffers_per_numa = self.count as u32;
            (*main).buffers_per_numa[0] = self.count as u32;
            vec::resize(&raw mut (*main).buffer_pools, 1);
            let pool = (*main).buffer_pools;
            (*pool).start = self.memory as usize;
            (*pool).size = self.mapped;
            (*pool).log2_page_size = 12;
            (*pool).data_size = self.data_size as u32;
            (*pool).alloc_size = self.stride as u32;
            (*pool).n_buffers = self.count as u32;
            (*pool).name = vec::from_bytes(b"default-numa-0");
            (*pool).buffer_template.ref_count = 1.into();
            vec::resize(&raw mut (*pool).threads, 1);
            vec::resize(&raw mut (*pool).buffers, self.count);
            // VPP takes from the end, so the first buffer is last.
            for slot in 0..self.count {
                *(*pool).buffers.add(self.count - 1 - slot) = self.index_of(slot);
                (*self.buffer_at(slot)).ref_count = 1.into();
            }
            (*pool).n_avail = self.count as u32;
        }
    }

    /// The index of the buffer in a slot.
    pub(crate) fn index_of(&self, slot: usize) -> u32 {
        ((self.stride * (slot + 1)) >> VLIB_BUFFER_LOG2_ALIGN) as u32
    }

    /// The slot that an index stands for, if it is a buffer's.
    pub(crate) fn slot_of(&self, index: u32) -> Option<usize> {
        let offset = (index as usize) << VLIB_BUFFER_LOG2_ALIGN;
        let (slot, rest) = (offset / self.stride, offset % self.stride);
        (rest == 0 && slot >= 1 && slot <= self.count).then(|| slot - 1)
    }

    /// The buffer in a slot.
    pub(crate) fn buffer_at(&self, slot: usize) -> *mut vlib_buffer_t {
        assert!(slot < self.count);
        // SAFETY: the slot is inside the mapping.
        unsafe { self.memory.add(self.stride * (slot + 1)).cast() }
    }

    /// How many packets have the buffer in a slot.
    pub(crate) fn references(&self, slot: usize) -> u8 {
        // SAFETY: a buffer; the count is atomic.
        unsafe { (*self.buffer_at(slot)).ref_count.load(Ordering::Relaxed) }.max(1)
    }

    /// Ends a chain with the buffer in a slot.
    pub(crate) fn cut_chain(&self, slot: usize) {
        // SAFETY: a buffer; the host keeps no references into buffers.
        unsafe { (*self.buffer_at(slot)).flags &= !VLIB_BUFFER_NEXT_PRESENT };
    }

    /// Makes the packet in a buffer empty, at the start of its data.
    pub(crate) fn clear_packet(&self, slot: usize) {
        let b = self.buffer_at(slot);
        // SAFETY: as for `cut_chain`.
        unsafe { ((*b).current_data, (*b).current_length) = (0, 0) };
    }

    /// The buffers that VPP's lists say are free.
    pub(crate) fn free_list(&self) -> Vec<u32> {
        // SAFETY: the lists are as long as their counts say, unless a plugin broke them; then the lengths of
        // the arrays bound them.
        unsafe {
            let pool = (*self.main).buffer_pools;
            let threads = (*pool).threads;
            let cached = ((*threads).n_cached as usize).min(CACHE);
            let available = ((*pool).n_avail as usize).min(vec_len((*pool).buffers));
            let mut free = vec::slice((*pool).buffers)[..available].to_vec();
            free.extend_from_slice(&(&(*threads).cached_buffers)[..cached]);
            free
        }
    }

    /// How many buffers VPP's lists say are free.
    pub(crate) fn n_free(&self) -> usize {
        // SAFETY: the records live as long as the pool.
        unsafe {
            let pool = (*self.main).buffer_pools;
            (*pool).n_avail as usize + (*(*pool).threads).n_cached as usize
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // SAFETY: the run is over, nothing uses the buffers.
        unsafe {
            let pool = (*self.main).buffer_pools;
            vec::free(&raw mut (*pool).name);
            vec::free(&raw mut (*pool).threads);
            vec::free(&raw mut (*pool).buffers);
            vec::free(&raw mut (*self.main).buffer_pools);
            vec::release(self.main.cast());
            libc::munmap(self.memory.cast(), self.mapped);
        }
    }
}

/// The buffer with an index.
///
/// # Safety
/// `vm` is the host's and `index` is a buffer's.
#[inline(always)]
pub(crate) unsafe fn get(vm: *mut vlib_main_t, index: u32) -> *mut vlib_buffer_t {
    // SAFETY: by contract.
    unsafe {
        ((*(*vm).buffer_main).buffer_mem_start + ((index as usize) << VLIB_BUFFER_LOG2_ALIGN))
            as *mut vlib_buffer_t
    }
}

/// Takes up to `into.len()` buffers from the pool and tells how many there were.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn alloc(vm: *mut vlib_main_t, into: &mut [u32]) -> usize {
    // SAFETY: the pool's lists are VPP's: this thread's cache, then the pool's own.
    unsafe {
        let pool = (*(*vm).buffer_main).buffer_pools;
        let cache: *mut vlib_buffer_pool_thread_t = (*pool).threads;
        let mut n = 0;
        while n < into.len() {
            if (*cache).n_cached > 0 {
                (*cache).n_cached -= 1;
                into[n] = (&(*cache).cached_buffers)[(*cache).n_cached as usize];
            } else if (*pool).n_avail > 0 {
                (*pool).n_avail -= 1;
                into[n] = *(*pool).buffers.add((*pool).n_avail as usize);
            } else {
                break;
            }
            n += 1;
        }
        sanitize::allocated(Vm::new(vm), &into[..n]);
        n
    }
}

/// Frees buffers with the chains behind them, as VPP does: a shared buffer only loses one reference.
///
/// # Safety
/// `vm` is the host's and `indices` are buffers' that the caller owns.
pub(crate) unsafe fn free(vm: *mut vlib_main_t, indices: &[u32]) {
    // SAFETY: by contract; the pool's template is what a fresh buffer looks like.
    unsafe {
        for &head in indices {
            let mut index = head;
            loop {
                let b = get(vm, index);
                let (flags, next) = ((*b).flags, (*b).next_buffer);
                if (*b).ref_count.fetch_sub(1, Ordering::AcqRel) == 1 {
                    put(vm, index);
                }
                if flags & VLIB_BUFFER_NEXT_PRESENT == 0 {
                    break;
                }
                index = next;
            }
        }
    }
}

/// Gives one buffer back to the pool.
///
/// # Safety
/// `vm` is the host's, `index` a buffer's that nobody has any more.
unsafe fn put(vm: *mut vlib_main_t, index: u32) {
    // SAFETY: as for `free`.
    unsafe {
        let pool: *mut vlib_buffer_pool_t = (*(*vm).buffer_main).buffer_pools;
        let b = get(vm, index);
        b.cast::<[u8; 64]>().copy_from_nonoverlapping((&raw const (*pool).buffer_template).cast(), 1);
        sanitize::freed(Vm::new(vm), &[index]);
        let cache = (*pool).threads;
        if ((*cache).n_cached as usize) < CACHE {
            (&mut (*cache).cached_buffers)[(*cache).n_cached as usize] = index;
            (*cache).n_cached += 1;
        } else if ((*pool).n_avail as usize) < vec_len((*pool).buffers) {
            *(*pool).buffers.add((*pool).n_avail as usize) = index;
            (*pool).n_avail += 1;
        }
    }
}

/// The bytes of a buffer from where the packet starts.
///
/// # Safety
/// `b` is a buffer whose current data and length are inside of its room.
pub(crate) unsafe fn current<'a>(b: *const vlib_buffer_t) -> &'a [u8] {
    // SAFETY: by contract.
    unsafe { bytes_from(b, (*b).current_data, (*b).current_length as usize) }
}

/// `len` bytes of a buffer from `at`, which counts from the start of `data`.
///
/// # Safety
/// They are inside of the buffer's room.
pub(crate) unsafe fn bytes_from<'a>(b: *const vlib_buffer_t, at: i16, len: usize) -> &'a [u8] {
    // SAFETY: by contract.
    unsafe {
        let data = b.cast::<u8>().add(size_of::<vlib_buffer_t>()).offset(at as isize);
        std::slice::from_raw_parts(data, len)
    }
}

/// The first `N` bytes of a packet, zeroes where it is shorter.
///
/// # Safety
/// As for [`current`].
pub(crate) unsafe fn header<const N: usize>(b: *const vlib_buffer_t) -> [u8; N] {
    let mut header = [0; N];
    // SAFETY: by contract.
    let bytes = unsafe { current(b) };
    let n = bytes.len().min(N);
    header[..n].copy_from_slice(&bytes[..n]);
    header
}

/// Bytes of a packet in all its buffers.
///
/// # Safety
/// `vm` is the host's, `b` a buffer.
pub(crate) unsafe fn packet_length(vm: *mut vlib_main_t, b: *mut vlib_buffer_t) -> usize {
    // SAFETY: by contract.
    unsafe {
        let first = (*b).current_length as usize;
        if (*b).flags & VLIB_BUFFER_NEXT_PRESENT == 0 {
            first
        } else if (*b).flags & VLIB_BUFFER_TOTAL_LENGTH_VALID != 0 {
            first + (*b).total_length_not_including_first_buffer as usize
        } else {
            length_in_chain(vm, b.cast())
        }
    }
}

/// Walks a chain, keeps its length in the first buffer, and gives the whole.
///
/// # Safety
/// `vm` is the host's, `b` a buffer of it whose chain ends.
pub(crate) unsafe extern "C" fn length_in_chain(vm: *mut vlib_main_t, b: *mut c_void) -> usize {
    // SAFETY: VPP's callers pass a buffer; the ledger has checked its chain.
    unsafe {
        let first = b.cast::<vlib_buffer_t>();
        let mut rest = 0;
        let mut at = first;
        while (*at).flags & VLIB_BUFFER_NEXT_PRESENT != 0 {
            at = get(vm, (*at).next_buffer);
            rest += (*at).current_length as usize;
        }
        (*first).total_length_not_including_first_buffer = rest as u32;
        (*first).flags |= VLIB_BUFFER_TOTAL_LENGTH_VALID;
        rest + (*first).current_length as usize
    }
}
