//! Which features an interface has: turning them on and off, by the host and by plugins.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;

use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vppinfra::vec::vec_len;

use super::Arc;
use super::heap::{config_main, field, heap};
use crate::error::GraphError;
use crate::log::{c_text, error_text};
use crate::state::{Place, state};
use crate::{graph, suggest, vec};

/// Enables or disables a feature on an interface.
///
/// # Safety
/// `vm` is the host's and [`super::init`] has run.
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
///
/// # Safety
/// As for [`enable`]; all are indices of nodes.
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
///
/// # Safety
/// `name` is a C string or NULL; the caller is on the thread that runs the host.
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
///
/// # Safety
/// The names are C strings or NULL, `config` is NULL or has `n_config_bytes` bytes; the caller is on the thread
/// that runs the host.
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
