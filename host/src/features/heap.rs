//! What VPP keeps of arcs in `feature_main`: configuration strings, and which string an interface has.

use std::ffi::c_char;
use std::ptr::null_mut;

use vppkit_sys::release::{ArcHeap, Release};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vnet::feature::{
    vnet_feature_arc_registration_t, vnet_feature_config_main_t, vnet_feature_registration_t,
};
use vppkit_sys::vppinfra::vec::vec_len;

use super::Arc;
use crate::exports::Exports;
use crate::log::c_text;
use crate::state::vpp as vpp_data;
use crate::vec;

/// A field of `vnet_feature_main_t` that moved between releases.
///
/// # Safety
/// The offset is that of a field of type `T` in the running release.
pub(super) unsafe fn field<T>(exports: &Exports, offset: usize) -> *mut T {
    // SAFETY: the offset is the release's, and the stub has room for the largest release.
    unsafe { exports.feature_main.cast::<u8>().add(offset).cast() }
}

/// The configuration of one arc.
///
/// # Safety
/// [`allocate`] has run for the release with more arcs than `arc`.
pub(super) unsafe fn config_main(
    release: &Release,
    exports: &Exports,
    arc: usize,
) -> *mut vnet_feature_config_main_t {
    // SAFETY: the vector has an element for each arc, of the release's size.
    unsafe {
        (*exports.feature_main)
            .feature_config_mains
            .cast::<u8>()
            .add(arc * release.vnet_feature_config_main.size)
            .cast()
    }
}

/// The heap that holds an arc's configuration strings.
///
/// # Safety
/// As for [`config_main`].
pub(super) unsafe fn heap(release: &Release, exports: &Exports, arc: usize) -> *mut *mut u32 {
    // SAFETY: as above.
    unsafe {
        match release.arc_heap {
            ArcHeap::Shared { heap_offset } => field(exports, heap_offset),
            ArcHeap::PerArc { .. } => {
                &raw mut (*config_main(release, exports, arc)).config_main.config_string_heap
            }
        }
    }
}

/// Makes room for what VPP keeps of `n` arcs.
///
/// # Safety
/// `exports` were reset, and nothing was allocated since.
pub(super) unsafe fn allocate(release: &Release, exports: &Exports, n: usize) {
    let at = &release.vnet_feature_main;
    // SAFETY: the fields are zero; the vectors get an element for each arc.
    unsafe {
        let fm = exports.feature_main;
        (*fm).feature_config_mains = vec::with_size(n, release.vnet_feature_config_main.size).cast();
        vec::resize(&raw mut (*fm).next_feature_by_arc, n);
        vec::resize(field::<*mut *mut *mut c_char>(exports, at.feature_nodes), n);
        vec::resize(field::<*mut *mut usize>(exports, at.sw_if_index_has_features), n);
        vec::resize(field::<*mut *mut i16>(exports, at.feature_count_by_sw_if_index), n);
    }
}

/// Writes what VPP keeps of an arc.
///
/// # Safety
/// `vm` is the host's, [`allocate`] has run, and all records are on VPP's lists.
pub(super) unsafe fn publish(
    vm: *mut vlib_main_t,
    i: usize,
    registrations: &[*mut vnet_feature_registration_t],
    arc: &Arc,
    record: &vnet_feature_arc_registration_t,
) {
    // SAFETY: as for `init`.
    unsafe {
        let (release, exports) = vpp_data(vm);
        let fm = exports.feature_main;
        let mut head = null_mut();
        for &r in registrations {
            (*r).next_in_arc = head;
            head = r;
        }
        *(*fm).next_feature_by_arc.add(i) = head;
        let nodes =
            (*field::<*mut *mut *mut c_char>(exports, release.vnet_feature_main.feature_nodes)).add(i);
        for f in &arc.features {
            vec::push(nodes, (*f.registration).node_name as *mut c_char);
        }
        let cm = config_main(release, exports, i).cast::<u8>();
        let at = &release.vnet_config_main;
        for &start in &arc.start {
            vec::push(cm.add(at.start_node_indices).cast::<*mut u32>(), start);
        }
        for f in &arc.features {
            vec::push(cm.add(at.node_index_by_feature_index).cast::<*mut u32>(), f.index.unwrap_or(!0));
        }
        *cm.add(at.default_end_node_index).cast::<u32>() = arc.end.unwrap_or(0);
        if let Some(offset) = release.config_heap_pointer {
            *cm.add(offset).cast::<*mut *mut u32>() = heap(release, exports, i);
        }
        if c_text(record.arc_name) == "device-input" {
            *field(exports, release.vnet_feature_main.device_input_feature_arc_index) = i as u8;
        }
    }
}

/// Frees what VPP keeps of the arcs.
///
/// # Safety
/// `vm` is the host's; nothing uses the arcs any more.
pub(crate) unsafe fn destroy(vm: *mut vlib_main_t) {
    // SAFETY: by contract.
    unsafe {
        let (release, exports) = vpp_data(vm);
        let fm = exports.feature_main;
        if (*fm).feature_config_mains.is_null() {
            return;
        }
        let at = &release.vnet_feature_main;
        let nodes = field::<*mut *mut *mut c_char>(exports, at.feature_nodes);
        let has = field::<*mut *mut usize>(exports, at.sw_if_index_has_features);
        let counts = field::<*mut *mut i16>(exports, at.feature_count_by_sw_if_index);
        for i in 0..vec_len((*fm).next_feature_by_arc) {
            let cm = config_main(release, exports, i).cast::<u8>();
            vec::free(heap(release, exports, i));
            vec::free(cm.add(release.vnet_config_main.start_node_indices).cast::<*mut u32>());
            vec::free(cm.add(release.vnet_config_main.node_index_by_feature_index).cast::<*mut u32>());
            vec::free(
                cm.add(release.vnet_feature_config_main.config_index_by_sw_if_index).cast::<*mut u32>(),
            );
            vec::free((*nodes).add(i));
            vec::free((*has).add(i));
            vec::free((*counts).add(i));
        }
        vec::free(&raw mut (*fm).feature_config_mains);
        vec::free(&raw mut (*fm).next_feature_by_arc);
        vec::free(nodes);
        vec::free(has);
        vec::free(counts);
    }
}

/// The next index of a packet that starts an arc, and its position there; `None` if the interface has no
/// features on it.
///
/// # Safety
/// As for [`super::enable_by_command`].
pub(crate) unsafe fn start(vm: *mut vlib_main_t, arc: usize, sw_if_index: u32) -> Option<(u32, u32)> {
    // SAFETY: by contract.
    unsafe {
        let (release, exports) = vpp_data(vm);
        let bitmap =
            *(*field::<*mut *mut usize>(exports, release.vnet_feature_main.sw_if_index_has_features))
                .add(arc);
        let (word, bit) = (sw_if_index as usize / 64, sw_if_index as usize % 64);
        if vec::slice(bitmap).get(word)? >> bit & 1 == 0 {
            return None;
        }
        let cm = config_main(release, exports, arc).cast::<u8>();
        let by_interface =
            *cm.add(release.vnet_feature_config_main.config_index_by_sw_if_index).cast::<*mut u32>();
        let position = *by_interface.add(sw_if_index as usize);
        let next = *(*heap(release, exports, arc)).add(position as usize);
        Some((next, position + 1))
    }
}

/// Writes a packet's position on an arc into its buffer.
///
/// # Safety
/// `vm` is the host's, `b` a buffer.
pub(crate) unsafe fn set_position(
    vm: *mut vlib_main_t,
    b: *mut vppkit_sys::vlib::buffer::vlib_buffer_t,
    arc: u8,
    position: u32,
) {
    // SAFETY: by contract.
    unsafe {
        (*b).current_config_index = position;
        if let ArcHeap::PerArc { arc_index_offset } = vpp_data(vm).0.arc_heap {
            *(&raw mut (*b).opaque).cast::<u8>().add(arc_index_offset) = arc;
        }
    }
}

/// What a packet says of its position on an arc.
///
/// # Safety
/// `b` is a buffer.
pub(crate) unsafe fn place(
    release: &Release,
    b: *const vppkit_sys::vlib::buffer::vlib_buffer_t,
) -> (u8, u32) {
    // SAFETY: by contract; the offset is the release's.
    unsafe {
        let arc = match release.arc_heap {
            ArcHeap::PerArc { arc_index_offset } => {
                *(&raw const (*b).opaque).cast::<u8>().add(arc_index_offset)
            }
            ArcHeap::Shared { .. } => 0,
        };
        (arc, (*b).current_config_index)
    }
}
