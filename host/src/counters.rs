//! Error counters (`vlib/error.c`).

use vppkit_sys::vlib::error::vlib_error_desc_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::vlib_node_t;
use vppkit_sys::vppinfra::vec::vec_len;

use crate::error::GraphError;
use crate::vec;

/// Gives a node its counters.
///
/// # Safety
/// `vm` is the host's, `n` a node that has none yet.
pub(crate) unsafe fn register(
    vm: *mut vlib_main_t,
    n: *mut vlib_node_t,
    errors: &[vlib_error_desc_t],
) -> Result<(), GraphError> {
    // SAFETY: by contract.
    unsafe {
        (*n).n_errors = errors.len() as u16;
        if errors.is_empty() {
            return Ok(());
        }
        let em = &raw mut (*vm).error_main;
        let first = vec_len((*em).counters_heap);
        if first + errors.len() > usize::from(u16::MAX) {
            return Err(GraphError::Registration {
                node: vec::text((*n).name),
                what: "there are more than 65,535 error counters".into(),
            });
        }
        (*n).error_heap_index = first as u32;
        for error in errors {
            let copy = vlib_error_desc_t { stats_entry_index: 0, ..*error };
            vec::push(&raw mut (*em).counters_heap, copy);
            vec::push(&raw mut (*em).counters, 0);
            vec::push(&raw mut (*vm).node_main.node_by_error, (*n).index);
        }
        Ok(())
    }
}

/// Adds to a counter, if it exists.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn add(vm: *mut vlib_main_t, error: u16, n: u64) {
    // SAFETY: by contract.
    unsafe {
        let em = &raw mut (*vm).error_main;
        if usize::from(error) < vec_len((*em).counters) {
            *(*em).counters.add(usize::from(error)) += n;
        }
    }
}
