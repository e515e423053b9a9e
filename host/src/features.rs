//! Feature arcs: their order, and which features an interface has (`vnet/feature`, `vnet/config.c`).

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use vppkit_sys::release::{ArcHeap, Release};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vnet::feature::{
    vnet_feature_arc_registration_t, vnet_feature_config_main_t, vnet_feature_registration_t,
};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::error::GraphError;
use crate::exports::Exports;
use crate::graph;
use crate::log::{c_text, error_text};
use crate::nodes::known;
use crate::order;
use crate::state::{Place, state, vpp as vpp_data};
use crate::{suggest, vec};

/// An arc of this host.
pub(crate) struct Arc {
    pub(crate) name: String,
    start: Vec<u32>,
    /// In order.
    pub(crate) features: Vec<Feature>,
    /// The node that ends the arc.
    end: Option<u32>,
    /// By the features and their configuration: where its string starts in the heap.
    strings: HashMap<Vec<(u32, Vec<u32>)>, u32>,
    interfaces: HashMap<u32, Vec<(u32, Vec<u32>)>>,
    /// Whether packets can get onto it here.
    pub(crate) runs: bool,
}

pub(crate) struct Feature {
    pub(crate) node: String,
    index: Option<u32>,
    registration: *mut vnet_feature_registration_t,
    /// Whether a plugin brought it.
    pub(crate) is_plugin: bool,
}

/// One of VPP's own arcs.
struct VppArc {
    name: &'static CStr,
    start: &'static [&'static CStr],
    last: Option<&'static CStr>,
    /// Features and what they run before, in VPP's order of registration.
    features: &'static [(&'static CStr, Option<&'static CStr>)],
}

/// VPP's arcs, with the features that come with VPP itself: plugins name them in their constraints.
const VPP_ARCS: &[VppArc] = &[
    VppArc {
        name: c"device-input",
        start: &[c"device-input"],
        last: Some(c"ethernet-input"),
        features: &[
            (c"l2-patch", Some(c"ethernet-input")),
            (c"worker-handoff", Some(c"ethernet-input")),
            (c"span-input", Some(c"ethernet-input")),
            (c"p2p-ethernet-input", Some(c"ethernet-input")),
            (c"ethernet-input", None),
        ],
    },
    VppArc {
        name: c"ip4-unicast",
        start: &[c"ip4-input", c"ip4-input-no-checksum"],
        last: Some(c"ip4-lookup"),
        features: &[
            (c"ip4-flow-classify", Some(c"ip4-inacl")),
            (c"ip4-inacl", Some(c"ip4-policer-classify")),
            (c"ip4-source-and-port-range-check-rx", Some(c"ip4-policer-classify")),
            (c"ip4-policer-classify", Some(c"ipsec4-input-feature")),
            (c"ipsec4-input-feature", Some(c"vpath-input-ip4")),
            (c"vpath-input-ip4", Some(c"ip4-vxlan-bypass")),
            (c"ip4-vxlan-bypass", Some(c"ip4-lookup")),
            (c"ip4-not-enabled", Some(c"ip4-lookup")),
            (c"ip4-lookup", None),
        ],
    },
    VppArc {
        name: c"ip4-multicast",
        start: &[c"ip4-input", c"ip4-input-no-checksum"],
        last: Some(c"ip4-mfib-forward-lookup"),
        features: &[
            (c"vpath-input-ip4", Some(c"ip4-mfib-forward-lookup")),
            (c"ip4-not-enabled", Some(c"ip4-mfib-forward-lookup")),
            (c"ip4-mfib-forward-lookup", None),
        ],
    },
    VppArc {
        name: c"ip6-unicast",
        start: &[c"ip6-input"],
        last: Some(c"ip6-lookup"),
        features: &[
            (c"ip6-flow-classify", Some(c"ip6-inacl")),
            (c"ip6-inacl", Some(c"ip6-policer-classify")),
            (c"ip6-policer-classify", Some(c"ipsec6-input-feature")),
            (c"ipsec6-input-feature", Some(c"l2tp-decap")),
            (c"l2tp-decap", Some(c"vpath-input-ip6")),
            (c"vpath-input-ip6", Some(c"ip6-vxlan-bypass")),
            (c"ip6-vxlan-bypass", Some(c"ip6-lookup")),
            (c"ip6-not-enabled", Some(c"ip6-lookup")),
            (c"ip6-lookup", None),
        ],
    },
    VppArc {
        name: c"ip6-multicast",
        start: &[c"ip6-input"],
        last: Some(c"ip6-mfib-forward-lookup"),
        features: &[
            (c"vpath-input-ip6", Some(c"ip6-mfib-forward-lookup")),
            (c"ip6-not-enabled", Some(c"ip6-mfib-forward-lookup")),
            (c"ip6-mfib-forward-lookup", None),
        ],
    },
    VppArc {
        name: c"error-drop",
        start: &[c"error-drop"],
        last: Some(c"drop"),
        features: &[(c"drop", None)],
    },
    // Arcs that VPP has and that no packet reaches here.
    VppArc {
        name: c"interface-output",
        start: &[],
        last: Some(c"interface-output-arc-end"),
        features: &[
            (c"span-output", Some(c"interface-output-arc-end")),
            (c"ipsec-if-output", Some(c"interface-output-arc-end")),
            (c"interface-output-arc-end", None),
        ],
    },
    VppArc {
        name: c"ip4-output",
        start: &[c"ip4-rewrite", c"ip4-midchain", c"ip4-dvr-dpo"],
        last: Some(c"interface-output"),
        features: &[
            (c"ip4-source-and-port-range-check-tx", Some(c"ip4-outacl")),
            (c"ip4-outacl", Some(c"ipsec4-output-feature")),
            (c"ipsec4-output-feature", Some(c"interface-output")),
            (c"interface-output", None),
        ],
    },
    VppArc {
        name: c"ip6-output",
        start: &[c"ip6-rewrite", c"ip6-midchain", c"ip6-dvr-dpo"],
        last: Some(c"interface-output"),
        features: &[
            (c"ip6-outacl", Some(c"ipsec6-output-feature")),
            (c"ipsec6-output-feature", Some(c"interface-output")),
            (c"interface-output", None),
        ],
    },
    VppArc {
        name: c"ip4-local",
        start: &[c"ip4-local", c"ip4-receive"],
        last: Some(c"ip4-local-end-of-arc"),
        features: &[(c"ip4-local-end-of-arc", None)],
    },
    VppArc {
        name: c"ip6-local",
        start: &[c"ip6-local", c"ip6-receive"],
        last: Some(c"ip6-local-end-of-arc"),
        features: &[(c"ip6-local-end-of-arc", None)],
    },
    VppArc { name: c"ip4-punt", start: &[c"ip4-punt"], last: None, features: &[] },
    VppArc { name: c"ip4-drop", start: &[c"ip4-drop", c"ip4-not-enabled"], last: None, features: &[] },
    VppArc { name: c"ip6-punt", start: &[c"ip6-punt"], last: None, features: &[] },
    VppArc { name: c"ip6-drop", start: &[c"ip6-drop", c"ip6-not-enabled"], last: None, features: &[] },
    VppArc {
        name: c"arp",
        start: &[c"arp-input"],
        last: Some(c"error-drop"),
        features: &[(c"error-drop", None)],
    },
    VppArc {
        name: c"mpls-input",
        start: &[c"mpls-input"],
        last: Some(c"mpls-lookup"),
        features: &[(c"mpls-lookup", None)],
    },
    VppArc {
        name: c"mpls-output",
        start: &[c"mpls-output", c"mpls-midchain"],
        last: Some(c"interface-output"),
        features: &[(c"interface-output", None)],
    },
    VppArc { name: c"nsh-output", start: &[c"adj-nsh-midchain"], last: None, features: &[] },
    VppArc {
        name: c"port-rx-eth",
        start: &[c"port-rx-eth"],
        last: Some(c"ethernet-input"),
        features: &[(c"ethernet-input", None)],
    },
    VppArc { name: c"l2-input-ip4", start: &[c"l2-input-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-output-ip4", start: &[c"l2-output-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-input-ip6", start: &[c"l2-input-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-output-ip6", start: &[c"l2-output-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-input-nonip", start: &[c"l2-input-feat-arc"], last: None, features: &[] },
    VppArc { name: c"l2-output-nonip", start: &[c"l2-output-feat-arc"], last: None, features: &[] },
];

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

/// Sorts all features, as VPP's `vnet_feature_init` does.
///
/// # Safety
/// `vm` is the host's and its graph is connected.
pub(crate) unsafe fn init(vm: *mut vlib_main_t, vpp: &VppFeatures) -> Result<(), GraphError> {
    // SAFETY: the lists hold VPP's records and those of loaded plugins.
    unsafe {
        let (release, exports) = vpp_data(vm);
        let fm = exports.feature_main;
        let mut arcs: Vec<*mut vnet_feature_arc_registration_t> = Vec::new();
        let mut at = (*fm).next_arc;
        while let Some(arc) = at.as_mut() {
            arc.feature_arc_index = arcs.len() as u8;
            if !arc.arc_index_ptr.is_null() {
                *arc.arc_index_ptr = arc.feature_arc_index;
            }
            arc.n_start_nodes = names(arc.start_nodes).len() as i32;
            arcs.push(at);
            at = arc.next;
        }
        let arc_names: Vec<String> = arcs.iter().map(|a| c_text((**a).arc_name)).collect();

        // VPP moves each registration to the head of its arc's list, so the first registered comes first.
        let mut by_arc: Vec<Vec<*mut vnet_feature_registration_t>> = vec![Vec::new(); arcs.len()];
        let mut at = (*fm).next_feature;
        while let Some(feature) = at.as_ref() {
            let arc = c_text(feature.arc_name);
            let Some(i) = arc_names.iter().position(|a| *a == arc) else {
                let mut arcs = arc_names.clone();
                arcs.sort();
                return Err(GraphError::UnknownArc {
                    node: c_text(feature.node_name),
                    hint: suggest::hint(&arc, arc_names.iter().map(String::as_str)),
                    arc,
                    arcs,
                });
            };
            by_arc[i].insert(0, at);
            at = feature.next;
        }

        allocate(release, exports, arcs.len());
        for (i, registrations) in by_arc.into_iter().enumerate() {
            let arc = init_arc(vm, arcs[i], &registrations, vpp)?;
            publish(vm, i, &registrations, &arc, &*arcs[i]);
            state(vm).arcs.push(arc);
        }
        Ok(())
    }
}

/// Sorts the features of one arc.
unsafe fn init_arc(
    vm: *mut vlib_main_t,
    arc: *mut vnet_feature_arc_registration_t,
    registrations: &[*mut vnet_feature_registration_t],
    vpp: &VppFeatures,
) -> Result<Arc, GraphError> {
    // SAFETY: as for `init`.
    unsafe {
        let mut guard = state(vm);
        let st = &mut *guard;
        let name = c_text((*arc).arc_name);
        let last = c_text((*arc).last_in_arc);
        let features: Vec<String> = registrations.iter().map(|r| c_text((**r).node_name)).collect();
        let find = |wanted: &str| features.iter().rposition(|f| f == wanted);
        let mut constraints = Vec::new();
        let mut unknown = Vec::new();
        for (i, r) in registrations.iter().enumerate() {
            if !last.is_empty() && features[i] != last {
                match find(&last) {
                    Some(last) => constraints.push((i, last)),
                    None => unknown.push((i, "before", last.clone())),
                }
            }
            for before in names((**r).runs_before) {
                match find(&before) {
                    Some(b) => constraints.push((i, b)),
                    None => unknown.push((i, "before", before)),
                }
            }
            for after in names((**r).runs_after) {
                match find(&after) {
                    Some(a) => constraints.push((a, i)),
                    None => unknown.push((i, "after", after)),
                }
            }
        }
        for (i, side, wanted) in unknown {
            if vpp.has_feature(registrations[i]) || known::is_vpp_node(&wanted) {
                continue;
            }
            let hint = suggest::hint(&wanted, features.iter().map(String::as_str));
            st.warnings.push(format!(
                "feature `{}` is to run {side} `{wanted}`, which is not on arc `{name}`{hint}",
                features[i]
            ));
        }
        let order = order::sort(features.len(), &constraints).map_err(|stuck| GraphError::FeatureCycle {
            arc: name.clone(),
            nodes: stuck.into_iter().map(|i| features[i].clone()).collect(),
        })?;

        let start: Vec<u32> =
            names((*arc).start_nodes).iter().filter_map(|n| st.by_name.get(n).copied()).collect();
        let mut sorted = Vec::new();
        for (position, &i) in order.iter().enumerate() {
            let r = registrations[i];
            (*r).feature_index = position as u32;
            if !(*r).feature_index_ptr.is_null() {
                *(*r).feature_index_ptr = position as u32;
            }
            let is_plugin = !vpp.has_feature(r);
            let index = st.by_name.get(&features[i]).copied();
            if is_plugin && index.is_none() {
                st.warnings.push(format!(
                    "feature `{}` of arc `{name}` is no node; VPP ignores it{}",
                    features[i],
                    suggest::hint(&features[i], st.names())
                ));
            }
            if is_plugin && let Some(index) = index {
                st.nodes[index as usize].places.get_or_insert_default();
            }
            sorted.push(Feature { node: features[i].clone(), index, registration: r, is_plugin });
        }
        let end = sorted.last().and_then(|f| f.index);
        Ok(Arc {
            runs: !start.is_empty() && end.is_some(),
            name,
            start,
            features: sorted,
            end,
            strings: HashMap::new(),
            interfaces: HashMap::new(),
        })
    }
}

/// A field of `vnet_feature_main_t` that moved between releases.
unsafe fn field<T>(exports: &Exports, offset: usize) -> *mut T {
    // SAFETY: the offset is the release's, and the stub has room for the largest release.
    unsafe { exports.feature_main.cast::<u8>().add(offset).cast() }
}

/// The configuration of one arc.
unsafe fn config_main(release: &Release, exports: &Exports, arc: usize) -> *mut vnet_feature_config_main_t {
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
unsafe fn heap(release: &Release, exports: &Exports, arc: usize) -> *mut *mut u32 {
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

unsafe fn allocate(release: &Release, exports: &Exports, n: usize) {
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
unsafe fn publish(
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

/// Enables or disables a feature on an interface.
///
/// # Safety
/// `vm` is the host's and [`init`] has run.
pub(crate) unsafe fn enable(
    vm: *mut vlib_main_t,
    arc: usize,
    feature: usize,
    sw_if_index: u32,
    enable: bool,
    config: &[u32],
) -> Result<(), GraphError> {
    // SAFETY: by contract.
    unsafe {
        let mut st = state(vm);
        let (release, exports) = (st.release, st.exports);
        let a = &mut st.arcs[arc];
        let refuse = |a: &Arc, why: &str| GraphError::Enable {
            arc: a.name.clone(),
            node: a.features[feature].node.clone(),
            why: why.into(),
        };
        if a.features[feature].index.is_none() {
            return Err(refuse(a, "there is no node of that name"));
        }
        let Some(end) = a.end else {
            return Err(refuse(a, "this host does not have the node that ends the arc"));
        };
        let mut chosen = a.interfaces.get(&sw_if_index).cloned().unwrap_or_default();
        let at = chosen.iter().position(|(f, _)| *f == feature as u32);
        match (enable, at) {
            (true, _) => {
                chosen.push((feature as u32, config.to_vec()));
                chosen.sort_by_key(|&(f, _)| f);
            }
            (false, Some(at)) => {
                chosen.remove(at);
            }
            (false, None) => return Ok(()),
        }
        let start = a.start.clone();
        let path: Vec<(u32, Vec<u32>)> = chosen
            .iter()
            .filter_map(|(f, config)| Some((a.features[*f as usize].index?, config.clone())))
            .collect();
        let known = a.strings.get(&chosen).copied();
        a.interfaces.insert(sw_if_index, chosen.clone());
        // Connecting nodes needs the state.
        drop(st);

        let position = match known {
            Some(position) => position,
            None => {
                let (string, arrivals) = string(vm, &start, &path, end);
                let mut guard = state(vm);
                let st = &mut *guard;
                let heap = heap(release, exports, arc);
                // VPP keeps the index of the combination before its string.
                vec::push(heap, st.arcs[arc].strings.len() as u32);
                let position = vec_len(*heap) as u32;
                for word in string {
                    vec::push(heap, word);
                }
                st.arcs[arc].strings.insert(chosen.clone(), position);
                // Strings stay for ever, and packets on an old one may still be on their way.
                for (node, at) in arrivals {
                    if let Some(places) = &mut st.nodes[node as usize].places {
                        places.insert(Place::new(st.release, arc as u8, position + at));
                    }
                }
                position
            }
        };
        let cm = config_main(release, exports, arc).cast::<u8>();
        let by_interface =
            cm.add(release.vnet_feature_config_main.config_index_by_sw_if_index).cast::<*mut u32>();
        vec::validate(by_interface, sw_if_index as usize, !0);
        *(*by_interface).add(sw_if_index as usize) = position;

        let at = &release.vnet_feature_main;
        let counts = (*field::<*mut *mut i16>(exports, at.feature_count_by_sw_if_index)).add(arc);
        vec::validate(counts, sw_if_index as usize, 0);
        *(*counts).add(sw_if_index as usize) = chosen.len() as i16;
        let bitmap = (*field::<*mut *mut usize>(exports, at.sw_if_index_has_features)).add(arc);
        let (word, bit) = (sw_if_index as usize / 64, sw_if_index as usize % 64);
        vec::validate(bitmap, word, 0);
        if chosen.is_empty() {
            *(*bitmap).add(word) &= !(1 << bit);
        } else {
            *(*bitmap).add(word) |= 1 << bit;
        }
        Ok(())
    }
}

/// Connects the nodes of a combination of features. Gives the string of next indices, and for each node how
/// many words have been consumed when a packet arrives there.
unsafe fn string(
    vm: *mut vlib_main_t,
    start: &[u32],
    path: &[(u32, Vec<u32>)],
    end: u32,
) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut string = Vec::new();
    let mut arrivals = Vec::new();
    let mut from: Option<u32> = None;
    let connect = |from: Option<u32>, to: u32| -> u32 {
        let mut next = 0;
        for from in from.map_or_else(|| start.to_vec(), |f| vec![f]) {
            // SAFETY: as for `enable`; start nodes are siblings, so they agree on the index.
            next = unsafe { graph::add_next(vm, from as usize, to as usize, usize::MAX) };
        }
        next as u32
    };
    for (to, config) in path {
        string.push(connect(from, *to));
        arrivals.push((*to, string.len() as u32));
        string.extend(config);
        from = Some(*to);
    }
    if from != Some(end) {
        string.push(connect(from, end));
        arrivals.push((end, string.len() as u32));
    }
    string.push(end);
    (string, arrivals)
}

/// The arc and the feature with these names.
pub(crate) fn find(arcs: &[Arc], arc: &str, feature: &str) -> Result<(usize, usize), GraphError> {
    let Some(a) = arcs.iter().position(|a| a.name == arc) else {
        let mut names: Vec<String> = arcs.iter().map(|a| a.name.clone()).collect();
        names.sort();
        return Err(GraphError::UnknownArc {
            node: feature.into(),
            arc: arc.into(),
            hint: suggest::hint(arc, names.iter().map(String::as_str)),
            arcs: names,
        });
    };
    let features = &arcs[a].features;
    features.iter().position(|f| f.node == feature).map(|f| (a, f)).ok_or_else(|| GraphError::Enable {
        arc: arc.into(),
        node: feature.into(),
        why: format!(
            "it is not on that arc{}",
            suggest::hint(feature, features.iter().map(|f| f.node.as_str()))
        ),
    })
}

/// Enables a feature as VPP's command does: its own callback first, if it has one.
///
/// # Safety
/// As for [`enable`].
pub(crate) unsafe fn enable_by_command(
    vm: *mut vlib_main_t,
    arc: usize,
    feature: usize,
    sw_if_index: u32,
) -> Result<(), GraphError> {
    // SAFETY: by contract; no reference to the state lives while the callback runs.
    unsafe {
        let registration = state(vm).arcs[arc].features[feature].registration;
        if let Some(callback) = (*registration).enable_disable_cb {
            let error = callback(sw_if_index, 1);
            if !error.is_null() {
                let st = state(vm);
                let a = &st.arcs[arc];
                return Err(GraphError::Enable {
                    arc: a.name.clone(),
                    node: a.features[feature].node.clone(),
                    why: error_text(error),
                });
            }
        }
        enable(vm, arc, feature, sw_if_index, true, &[])
    }
}

/// Whether an interface has a feature, because a plugin enabled it itself.
///
/// # Safety
/// As for [`enable`].
pub(crate) unsafe fn is_enabled(vm: *mut vlib_main_t, arc: usize, feature: usize, sw_if_index: u32) -> bool {
    // SAFETY: by contract.
    let st = unsafe { state(vm) };
    st.arcs[arc].interfaces.get(&sw_if_index).is_some_and(|on| on.iter().any(|&(f, _)| f as usize == feature))
}

/// Where a packet is on its arc when it arrives at a feature of an interface: arc and position.
///
/// # Safety
/// As for [`enable`].
pub(crate) unsafe fn position_at(
    vm: *mut vlib_main_t,
    node_index: u32,
    sw_if_index: u32,
) -> Option<(u8, u32)> {
    // SAFETY: as for `enable`.
    let st = unsafe { state(vm) };
    for (i, arc) in st.arcs.iter().enumerate() {
        let Some(chosen) = arc.interfaces.get(&sw_if_index) else { continue };
        let Some(&start) = arc.strings.get(chosen) else { continue };
        let mut position = start;
        for (feature, config) in chosen {
            position += 1;
            if arc.features[*feature as usize].index == Some(node_index) {
                return Some((i as u8, position));
            }
            position += config.len() as u32;
        }
    }
    None
}

/// The next index of a packet that starts an arc, and its position there; `None` if the interface has no
/// features on it.
///
/// # Safety
/// As for [`enable`].
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

/// The main thread of this process, while a host runs.
fn vm() -> *mut vlib_main_t {
    let Ok(exports) = crate::exports::get() else { return null_mut() };
    // SAFETY: the stub calls only while a host runs, and then there is one thread.
    unsafe {
        let mains = (*exports.global_main).vlib_mains;
        if mains.is_null() { null_mut() } else { *mains }
    }
}

/// VPP's `vnet_get_feature_arc_index`.
pub(crate) unsafe extern "C" fn arc_index(name: *const c_char) -> u8 {
    let vm = vm();
    if vm.is_null() {
        return !0;
    }
    // SAFETY: callers pass a C string.
    unsafe {
        let name = c_text(name);
        state(vm).arcs.iter().position(|a| a.name == name).map_or(!0, |i| i as u8)
    }
}

/// `VNET_API_ERROR_INVALID_VALUE` and `VNET_API_ERROR_INVALID_VALUE_2`.
const INVALID_VALUE: c_int = -7;
const INVALID_VALUE_2: c_int = -8;

/// VPP's `vnet_feature_enable_disable`.
pub(crate) unsafe extern "C" fn enable_disable(
    arc: *const c_char,
    feature: *const c_char,
    sw_if_index: u32,
    on: c_int,
    config: *const c_void,
    n_config_bytes: u32,
) -> c_int {
    let vm = vm();
    if vm.is_null() {
        return INVALID_VALUE;
    }
    // SAFETY: callers pass C strings, and as many bytes as they say.
    unsafe {
        let (arc, feature) = (c_text(arc), c_text(feature));
        let st = state(vm);
        let arcs = &st.arcs;
        let Some(a) = arcs.iter().position(|a| a.name == arc) else { return INVALID_VALUE };
        let Some(f) = arcs[a].features.iter().position(|f| f.node == feature) else { return INVALID_VALUE_2 };
        let mut words = vec![0_u32; (n_config_bytes as usize).div_ceil(4)];
        if !config.is_null() {
            words.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(config.cast(), n_config_bytes as usize);
        }
        drop(st);
        // VPP says success when the feature's node does not exist.
        let _ = enable(vm, a, f, sw_if_index, on != 0, &words);
        0
    }
}
