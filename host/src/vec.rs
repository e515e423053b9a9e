//! VPP's vectors, made and grown by the host. The stub makes its own in the same layout.

use vppkit_sys::vppinfra::vec::{vec_header_t, vec_len};

/// Bytes before the first element: room for a user header, then [`vec_header_t`].
const HEADER_BYTES: usize = 64;
/// `log2_align` 6 and the bit for "on the default heap".
const ALIGN_AND_HEAP: u8 = 6 | 0x80;

/// Zeroed memory, aligned to a cache line. Aborts when there is none.
pub(crate) fn zeroed(bytes: usize) -> *mut u8 {
    let bytes = bytes.next_multiple_of(64).max(64);
    // SAFETY: the size is a multiple of the alignment and not 0.
    let memory = unsafe { libc::aligned_alloc(64, bytes) }.cast::<u8>();
    if memory.is_null() {
        std::process::abort();
    }
    // SAFETY: `memory` has `bytes` bytes.
    unsafe { memory.write_bytes(0, bytes) };
    memory
}

/// Gives memory of [`zeroed`] back.
///
/// # Safety
/// `memory` is NULL or from [`zeroed`], and nothing uses it any more.
pub(crate) unsafe fn release(memory: *mut u8) {
    // SAFETY: `zeroed` uses the C allocator.
    unsafe { libc::free(memory.cast()) };
}

/// Makes `*slot` a vector of `len` elements. New elements are zero.
///
/// # Safety
/// `*slot` is NULL or a vector of the host's or the stub's, and `T` may be zero.
pub(crate) unsafe fn resize<T>(slot: *mut *mut T, len: usize) {
    const { assert!(align_of::<T>() <= 64) };
    // SAFETY: by contract `*slot` is NULL or has a header before it.
    unsafe {
        let old = (*slot).cast::<u8>();
        let old_len = vec_len(*slot);
        let bytes = len * size_of::<T>();
        let room = if old.is_null() {
            0
        } else {
            libc::malloc_usable_size(old.sub(HEADER_BYTES).cast()) - HEADER_BYTES
        };
        let vector = if old.is_null() || room < bytes {
            let fresh = zeroed(HEADER_BYTES + bytes + bytes / 2 + 64).add(HEADER_BYTES);
            if !old.is_null() {
                // The user header, the header and the elements.
                fresh.sub(HEADER_BYTES).copy_from_nonoverlapping(
                    old.sub(HEADER_BYTES),
                    HEADER_BYTES + old_len.min(len) * size_of::<T>(),
                );
                release(old.sub(HEADER_BYTES));
            }
            fresh
        } else {
            old
        };
        let header = vector.cast::<vec_header_t>().sub(1);
        (*header).len = len as u32;
        (*header).hdr_size = (HEADER_BYTES / 8) as u8;
        (*header).log2_align = ALIGN_AND_HEAP;
        if len > old_len {
            vector.cast::<T>().add(old_len).write_bytes(0, len - old_len);
        }
        *slot = vector.cast();
    }
}

/// Makes a vector of `len` zeroed elements whose size only the release knows.
pub(crate) fn with_size(len: usize, element: usize) -> *mut u8 {
    let mut v: *mut u8 = std::ptr::null_mut();
    // SAFETY: a NULL vector grows; its length then counts elements, as VPP's does.
    unsafe {
        resize(&mut v, len * element);
        (*v.cast::<vec_header_t>().sub(1)).len = len as u32;
    }
    v
}

/// Appends `value` and gives its index.
///
/// # Safety
/// As for [`resize`].
pub(crate) unsafe fn push<T>(slot: *mut *mut T, value: T) -> usize {
    // SAFETY: by contract.
    unsafe {
        let at = vec_len(*slot);
        resize(slot, at + 1);
        (*slot).add(at).write(value);
        at
    }
}

/// Makes `*slot` long enough for index `at`, and fills new elements with `fill`.
///
/// # Safety
/// As for [`resize`].
pub(crate) unsafe fn validate<T: Copy>(slot: *mut *mut T, at: usize, fill: T) {
    // SAFETY: by contract.
    unsafe {
        let old = vec_len(*slot);
        if at >= old {
            resize(slot, at + 1);
            for i in old..=at {
                (*slot).add(i).write(fill);
            }
        }
    }
}

/// A vector that holds `bytes`.
pub(crate) fn from_bytes(bytes: &[u8]) -> *mut u8 {
    let mut v: *mut u8 = std::ptr::null_mut();
    // SAFETY: a NULL vector grows to `bytes.len()` elements.
    unsafe {
        resize(&mut v, bytes.len());
        v.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    v
}

/// Frees `*slot` and makes it NULL.
///
/// # Safety
/// `*slot` is NULL or a vector of the host's or the stub's that nothing uses any more.
pub(crate) unsafe fn free<T>(slot: *mut *mut T) {
    // SAFETY: by contract the block starts `HEADER_BYTES` before the first element.
    unsafe {
        if !(*slot).is_null() {
            release((*slot).cast::<u8>().sub(HEADER_BYTES));
            *slot = std::ptr::null_mut();
        }
    }
}

/// The elements of a vector.
///
/// # Safety
/// `v` is NULL or a vector, and nothing changes it while the slice lives.
pub(crate) unsafe fn slice<'a, T>(v: *const T) -> &'a [T] {
    if v.is_null() {
        return &[];
    }
    // SAFETY: by contract.
    unsafe { std::slice::from_raw_parts(v, vec_len(v)) }
}

/// The text of a vector of characters.
///
/// # Safety
/// As for [`slice()`].
pub(crate) unsafe fn text(v: *const u8) -> String {
    // SAFETY: by contract.
    String::from_utf8_lossy(unsafe { slice(v) }).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_grows_and_keeps_its_elements() {
        let mut v: *mut u64 = std::ptr::null_mut();
        // SAFETY: `v` starts as NULL and only these functions touch it.
        unsafe {
            for i in 0..1000 {
                assert_eq!(push(&mut v, i), i as usize);
                assert_eq!(v as usize % 64, 0);
            }
            assert_eq!(slice(v), (0..1000).collect::<Vec<u64>>());
            validate(&mut v, 1003, 7);
            assert_eq!(&slice(v)[999..], [999, 7, 7, 7, 7]);
            resize(&mut v, 2);
            resize(&mut v, 4);
            assert_eq!(slice(v), [0, 1, 0, 0]);
            free(&mut v);
        }
        assert!(v.is_null());
    }
}
