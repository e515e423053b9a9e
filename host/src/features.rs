//! Feature arcs: their order, and which features an interface has (`vnet/feature`, `vnet/config.c`).

use std::collections::HashMap;

use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vnet::feature::{vnet_feature_arc_registration_t, vnet_feature_registration_t};

use crate::error::GraphError;
use crate::log::c_text;
use crate::nodes::known;
use crate::report::PluginFeature;
use crate::state::{state, vpp as vpp_data};
use crate::{order, suggest};

mod enable;
mod heap;
mod records;
mod table;

pub(crate) use enable::{arc_index, enable_by_command, enable_disable, find, is_enabled, position_at};
pub(crate) use heap::{destroy, place, set_position, start};
pub(crate) use records::{VppFeatures, names};

use heap::{allocate, publish};

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

/// What the plugins registered, in the order of the arcs.
///
/// # Safety
/// The plugins are loaded.
pub(crate) unsafe fn of_plugins(arcs: &[Arc]) -> Vec<PluginFeature> {
    let of_arc = |arc: &Arc| {
        let features: Vec<_> = arc.features.iter().filter(|feature| feature.is_plugin).collect();
        let describe = |feature: &&Feature| {
            // SAFETY: the record and its strings are the plugin's, which is loaded.
            let (before, after) = unsafe {
                (names((*feature.registration).runs_before), names((*feature.registration).runs_after))
            };
            PluginFeature { arc: arc.name.clone(), node: feature.node.clone(), before, after }
        };
        features.iter().map(describe).collect::<Vec<_>>()
    };
    arcs.iter().flat_map(of_arc).collect()
}

/// Sorts the features of one arc.
///
/// # Safety
/// As for [`init`]; `arc` and `registrations` are on VPP's lists.
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
                if after == last && features[i] != last {
                    return Err(GraphError::AfterLast { arc: name, node: features[i].clone(), last });
                }
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
