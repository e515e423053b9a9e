//! A packet's step along a feature arc: `vnet_feature_next`.
//!
//! A packet's `current_config_index` points into a heap of 32-bit words. The word there is the next index, the one
//! behind it is for the next feature. Up to 26.02 each arc has a heap of its own; from 26.06 on there is one for all.
//! The loop is compiled for each, and for nodes on no arc.

use core::sync::atomic::{AtomicPtr, Ordering};

use vppkit_sys::release::Release;
use vppkit_sys::symbols::VPP;
use vppkit_sys::vlib::buffer::vlib_buffer_t;
use vppkit_sys::vnet::feature::vnet_feature_config_main_t;

/// The release that this plugin was loaded into; NULL before that.
static RELEASE: AtomicPtr<Release> = AtomicPtr::new(core::ptr::null_mut());

pub(crate) fn set_release(release: &'static Release) {
    RELEASE.store(core::ptr::from_ref(release).cast_mut(), Ordering::Relaxed);
}

/// `None` before the plugin was loaded.
pub(crate) fn release() -> Option<&'static Release> {
    // SAFETY: NULL or from the `&'static` of `set_release`.
    unsafe { RELEASE.load(Ordering::Relaxed).as_ref() }
}

/// How packets of one frame step along their arc.
pub(crate) trait Step: Copy {
    /// The next index along the arc. The packet's place is advanced.
    ///
    /// # Safety
    /// `buffer` is a buffer of the frame that the node is processing. If the node is on an arc, the packet came along
    /// it.
    unsafe fn advance(self, buffer: *mut vlib_buffer_t) -> u16;

    /// Puts the packet back to where it was: it leaves the arc.
    ///
    /// # Safety
    /// `advance` was called for this buffer right before.
    unsafe fn put_back(self, buffer: *mut vlib_buffer_t);
}

/// The node is on no arc.
#[derive(Clone, Copy)]
pub(crate) struct NotOnArc;

impl Step for NotOnArc {
    #[inline(always)]
    unsafe fn advance(self, _: *mut vlib_buffer_t) -> u16 {
        u16::MAX
    }

    #[inline(always)]
    unsafe fn put_back(self, _: *mut vlib_buffer_t) {}
}

/// One heap for all arcs, read once for each frame.
#[derive(Clone, Copy)]
pub(crate) struct SharedHeap {
    heap: *const u32,
}

impl SharedHeap {
    /// # Safety
    /// `heap_offset` is that of the running release, and its symbols are resolved.
    #[inline(always)]
    pub(crate) unsafe fn read(heap_offset: usize) -> Self {
        // SAFETY: the caller's promise.
        Self { heap: unsafe { VPP.feature_main.get().byte_add(heap_offset).cast::<*const u32>().read() } }
    }
}

impl Step for SharedHeap {
    #[inline(always)]
    unsafe fn advance(self, buffer: *mut vlib_buffer_t) -> u16 {
        // SAFETY: the node that put the packet on the arc pointed `current_config_index` at a string of next indices in
        // the heap, one for each feature and one for the arc's end; this packet has consumed those before this node.
        unsafe { advance(self.heap, buffer) }
    }

    #[inline(always)]
    unsafe fn put_back(self, buffer: *mut vlib_buffer_t) {
        // SAFETY: the buffer is the frame's; `advance` added 1.
        unsafe { (*buffer).current_config_index -= 1 }
    }
}

/// A heap for each arc; the packet says on which arc it is.
#[derive(Clone, Copy)]
pub(crate) struct HeapPerArc {
    config_mains: *const vnet_feature_config_main_t,
    config_main_size: usize,
    arc_index_offset: usize,
}

impl HeapPerArc {
    /// # Safety
    /// `release` is the running release, and its symbols are resolved.
    #[inline(always)]
    pub(crate) unsafe fn read(release: &Release, arc_index_offset: usize) -> Self {
        Self {
            // SAFETY: the caller's promise.
            config_mains: unsafe { (*VPP.feature_main.get()).feature_config_mains },
            config_main_size: release.vnet_feature_config_main.size,
            arc_index_offset,
        }
    }
}

impl Step for HeapPerArc {
    #[inline(always)]
    unsafe fn advance(self, buffer: *mut vlib_buffer_t) -> u16 {
        // SAFETY: the node that put the packet on the arc wrote the arc's index into the packet; it indexes the vector of
        // configurations. The rest is as with one heap.
        unsafe {
            let arc = (&raw const (*buffer).opaque).cast::<u8>().add(self.arc_index_offset).read();
            let config = self.config_mains.byte_add(usize::from(arc) * self.config_main_size);
            advance((*config).config_main.config_string_heap, buffer)
        }
    }

    #[inline(always)]
    unsafe fn put_back(self, buffer: *mut vlib_buffer_t) {
        // SAFETY: the buffer is the frame's; `advance` added 1.
        unsafe { (*buffer).current_config_index -= 1 }
    }
}

/// # Safety
/// The buffer's `current_config_index` is a place in `heap`.
#[inline(always)]
unsafe fn advance(heap: *const u32, buffer: *mut vlib_buffer_t) -> u16 {
    // SAFETY: the caller's promise.
    unsafe {
        let index = (*buffer).current_config_index;
        (*buffer).current_config_index = index + 1;
        *heap.add(index as usize) as u16
    }
}

/// Calls `$body` with `$step` bound to how packets step in the running release.
///
/// The release is looked at once for each frame, so the loop itself holds no trace of it.
macro_rules! with_step {
    ($node:ty, $step:ident => $body:expr) => {{
        use $crate::__private::arc::{HeapPerArc, NotOnArc, SharedHeap, release};
        use $crate::feature::Placement;
        if <$node as $crate::node::Node>::Placement::ON_ARC {
            match release() {
                Some(running) => match running.arc_heap {
                    ::vppkit_sys::release::ArcHeap::Shared { heap_offset } => {
                        // SAFETY: nodes run only after the release was found and the symbols were resolved.
                        let $step = unsafe { SharedHeap::read(heap_offset) };
                        $body
                    }
                    ::vppkit_sys::release::ArcHeap::PerArc { arc_index_offset } => {
                        // SAFETY: as above.
                        let $step = unsafe { HeapPerArc::read(running, arc_index_offset) };
                        $body
                    }
                },
                None => unreachable!("a node runs before its plugin was loaded"),
            }
        } else {
            let $step = NotOnArc;
            $body
        }
    }};
}
pub(crate) use with_step;
