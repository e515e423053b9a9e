//! The registration records of VPP's own arcs and features, on the lists that plugins add theirs to.

use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use vppkit_sys::vnet::feature::{vnet_feature_arc_registration_t, vnet_feature_registration_t};

use super::table::VPP_ARCS;
use crate::exports::Exports;
use crate::log::c_text;

/// The C records of VPP's own arcs and features. They must outlive the plugins, whose destructors walk the
/// lists.
#[expect(clippy::vec_box, reason = "VPP's lists hold the records' addresses, which must not change")]
pub(crate) struct VppFeatures {
    arcs: Vec<Box<vnet_feature_arc_registration_t>>,
    features: Vec<Box<vnet_feature_registration_t>>,
    /// Lists of names with a NULL at the end.
    lists: Vec<Box<[*const c_char]>>,
}

impl VppFeatures {
    /// Puts VPP's own arcs and features onto the lists, as its constructors do before any plugin is loaded.
    ///
    /// # Safety
    /// The caller holds the host's lock and the lists are empty.
    pub(crate) unsafe fn register(exports: &Exports) -> Self {
        let mut this = Self { arcs: Vec::new(), features: Vec::new(), lists: Vec::new() };
        let fm = exports.feature_main;
        for arc in VPP_ARCS {
            let start_nodes = this.list(arc.start.iter().copied());
            let mut record = Box::new(vnet_feature_arc_registration_t {
                // SAFETY: by contract.
                next: unsafe { (*fm).next_arc },
                arc_name: arc.name.as_ptr(),
                start_nodes,
                n_start_nodes: 0,
                last_in_arc: arc.last.map_or(std::ptr::null(), CStr::as_ptr),
                feature_arc_index: 0,
                arc_index_ptr: null_mut(),
            });
            // SAFETY: by contract; the box keeps its address.
            unsafe { (*fm).next_arc = &raw mut *record };
            this.arcs.push(record);
            for (name, before) in arc.features {
                let runs_before = match before {
                    Some(before) => this.list([*before]),
                    None => std::ptr::null(),
                };
                let mut record = Box::new(vnet_feature_registration_t {
                    // SAFETY: by contract.
                    next: unsafe { (*fm).next_feature },
                    next_in_arc: null_mut(),
                    arc_name: arc.name.as_ptr(),
                    node_name: name.as_ptr(),
                    feature_index_ptr: null_mut(),
                    feature_index: 0,
                    runs_before,
                    runs_after: std::ptr::null(),
                    enable_disable_cb: None,
                });
                // SAFETY: as above.
                unsafe { (*fm).next_feature = &raw mut *record };
                this.features.push(record);
            }
        }
        this
    }

    fn list(&mut self, names: impl IntoIterator<Item = &'static CStr>) -> *const *const c_char {
        let list: Box<[_]> = names.into_iter().map(CStr::as_ptr).chain([std::ptr::null()]).collect();
        self.lists.push(list);
        self.lists.last().map_or(std::ptr::null(), |l| l.as_ptr())
    }

    /// Whether an arc's record is one of VPP's own.
    pub(crate) fn has_arc(&self, record: *const vnet_feature_arc_registration_t) -> bool {
        self.arcs.iter().any(|a| std::ptr::eq(&raw const **a, record))
    }

    /// Whether a feature's record is one of VPP's own.
    pub(crate) fn has_feature(&self, record: *const vnet_feature_registration_t) -> bool {
        self.features.iter().any(|f| std::ptr::eq(&raw const **f, record))
    }
}

/// The names of a list with a NULL at the end.
///
/// # Safety
/// `list` is NULL or such a list.
pub(crate) unsafe fn names(list: *const *const c_char) -> Vec<String> {
    let mut names = Vec::new();
    if !list.is_null() {
        let mut at = list;
        // SAFETY: by contract.
        unsafe {
            while !(*at).is_null() {
                names.push(c_text(*at));
                at = at.add(1);
            }
        }
    }
    names
}
