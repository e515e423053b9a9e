//! Puts what the macros collected on VPP's lists, and takes it off again.
//!
//! VPP's lists are made of C records that hold pointers to each other. They are built here, on the heap, from plain
//! data. They are never freed: VPP keeps pointers into them for as long as the process lives.

use core::ffi::{CStr, c_char};
use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::collections::HashSet;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use linkme::distributed_slice;
use vppkit_sys::release::Release;
use vppkit_sys::symbols::VPP;
use vppkit_sys::vlib::error::vlib_error_desc_t;
use vppkit_sys::vlib::init::_vlib_init_function_list_elt_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{
    VLIB_NODE_FLAG_TRACE_SUPPORTED, VLIB_NODE_TYPE_INTERNAL, vlib_node_fn_registration_t,
    vlib_node_function_t, vlib_node_registration_t,
};
use vppkit_sys::vnet::feature::vnet_feature_registration_t;
use vppkit_sys::vppinfra::error::clib_error_t;

use crate::__private::descriptor::{FeatureDescriptor, NodeDescriptor};
use crate::__private::format::{c_string, name};
use crate::__private::march;
use crate::__private::plugin::{Plugin, call_init};
use crate::error::{ErrorCounter, PANIC};
use crate::next::ERROR_DROP;

/// The nodes of this plugin, from all crates that are linked into it.
#[distributed_slice]
pub static VPPKIT_NODES: [NodeDescriptor];

/// The features of this plugin, from all crates that are linked into it.
#[distributed_slice]
pub static VPPKIT_FEATURES: [FeatureDescriptor];

/// `CLIB_MARCH_VARIANT_TYPE`: the variant that runs everywhere, in every release.
const BASELINE_VARIANT: u32 = 0;

/// What is on VPP's lists.
struct Registered {
    nodes: Vec<*mut vlib_node_registration_t>,
    features: Vec<*mut vnet_feature_registration_t>,
    init: *mut _vlib_init_function_list_elt_t,
    plugin: Option<&'static Plugin>,
    release: &'static Release,
}

// SAFETY: the records are only touched by the constructor, the destructor and init functions, all on the main thread.
unsafe impl Send for Registered {}

static REGISTERED: Mutex<Option<Registered>> = Mutex::new(None);

/// Registers everything. If something is wrong with it, registers nothing and says what.
///
/// The caller has resolved VPP's symbols and found its release.
pub(crate) fn register(release: &'static Release, plugin: Option<&'static Plugin>) -> Result<(), String> {
    let mut slot = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    if slot.is_some() {
        return Err("it is registered already".to_owned());
    }
    check_names()?;
    let mut registered = Registered {
        nodes: VPPKIT_NODES.iter().map(|node| node_registration(release, node)).collect(),
        features: VPPKIT_FEATURES.iter().map(feature_registration).collect(),
        init: core::ptr::null_mut(),
        plugin,
        release,
    };
    // The linker decides the order of the slices. Names decide the order of registration.
    // SAFETY: the records were made above.
    registered.nodes.sort_by_key(|node| unsafe { CStr::from_ptr((**node).name) });
    // SAFETY: this is the constructor (or a test that stands for it): VPP is in `dlopen` on its main thread, so nobody
    // else is at the lists. The records live for ever and are on no list yet; the offsets are the running release's.
    unsafe {
        for &node in &registered.nodes {
            push(global_list(release.vlib_global_main.node_registrations), node);
        }
        for &feature in &registered.features {
            push(&raw mut (*VPP.feature_main.get()).next_feature, feature);
        }
        if let Some(plugin) = plugin {
            registered.init = init_registration(plugin);
            push(global_list(release.vlib_global_main.init_function_registrations), registered.init);
        }
    }
    *slot = Some(registered);
    Ok(())
}

/// Takes everything off VPP's lists.
pub(crate) fn withdraw() {
    let Some(registered) = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let Registered { nodes, features, init, plugin: _, release } = registered;
    // SAFETY: this is the destructor (or a test that stands for it), so nobody else is at the lists.
    unsafe {
        for node in nodes {
            remove(global_list(release.vlib_global_main.node_registrations), node);
        }
        for feature in features {
            remove(&raw mut (*VPP.feature_main.get()).next_feature, feature);
        }
        if !init.is_null() {
            remove(global_list(release.vlib_global_main.init_function_registrations), init);
        }
    }
}

/// What VPP would not survive: it ends the process when two nodes have one name, and a packet that reaches a feature by
/// another way than its arc has no place on an arc.
fn check_names() -> Result<(), String> {
    let mut seen = HashSet::new();
    for node in VPPKIT_NODES {
        if !seen.insert(node.name) {
            return Err(format!(
                "two nodes are named `{}`: give one another name in #[vlib_node]",
                name(node.name)
            ));
        }
        for next in node.next_names {
            if let Some(feature) = VPPKIT_FEATURES.iter().find(|feature| feature.node == *next) {
                return Err(format!(
                    "`{}` names `{}` as a next node, but that is a feature of the arc `{}`: packets get there along the arc",
                    name(node.name),
                    name(next),
                    name(feature.arc)
                ));
            }
        }
    }
    Ok(())
}

/// The calls of a list's record.
trait Linked {
    fn next(&mut self) -> &mut *mut Self;
}

impl Linked for vlib_node_registration_t {
    fn next(&mut self) -> &mut *mut Self {
        &mut self.next_registration
    }
}

impl Linked for vnet_feature_registration_t {
    fn next(&mut self) -> &mut *mut Self {
        &mut self.next
    }
}

impl Linked for _vlib_init_function_list_elt_t {
    fn next(&mut self) -> &mut *mut Self {
        &mut self.next_init_function
    }
}

/// # Safety
/// `head` is a list's head, `record` a valid record that is on no list. Nobody else is at either.
unsafe fn push<T: Linked>(head: *mut *mut T, record: *mut T) {
    // SAFETY: the caller's promise.
    unsafe {
        *(*record).next() = *head;
        *head = record;
    }
}

/// # Safety
/// `head` is the head of a list of valid records. Nobody else is at it.
unsafe fn remove<T: Linked>(head: *mut *mut T, record: *mut T) {
    let mut at = head;
    // SAFETY: the caller's promise; `at` is the head or the link of a record on the list.
    unsafe {
        while !(*at).is_null() {
            if *at == record {
                *at = *(*record).next();
                return;
            }
            at = (**at).next();
        }
    }
}

/// # Safety
/// The symbols are resolved; `offset` is that of a list of `T` in the running release.
unsafe fn global_list<T>(offset: usize) -> *mut *mut T {
    // SAFETY: the caller's promise.
    unsafe { VPP.vlib_global_main.get().byte_add(offset).cast() }
}

/// A zeroed record of `T` with room for `extra` pointers behind it, for ever.
fn record_with_pointers<T>(extra: usize) -> *mut T {
    let size = size_of::<T>() + extra * size_of::<*const c_char>();
    let Ok(layout) = Layout::from_size_align(size, align_of::<T>()) else {
        unreachable!("a record fits into memory")
    };
    // SAFETY: the size is that of a record at least, so not 0.
    let record = unsafe { alloc_zeroed(layout) };
    if record.is_null() {
        handle_alloc_error(layout);
    }
    record.cast()
}

fn node_registration(release: &Release, node: &NodeDescriptor) -> *mut vlib_node_registration_t {
    let NodeDescriptor { name, function, clones, next_names, drop_index, errors, format_trace } = *node;
    let mut nexts: Vec<&CStr> = next_names.to_vec();
    if usize::from(drop_index) == nexts.len() {
        nexts.push(ERROR_DROP);
    }
    let registration = record_with_pointers::<vlib_node_registration_t>(nexts.len());
    // SAFETY: a zeroed record with room for the names behind it; zero is a value of each field.
    unsafe {
        let record = &mut *registration;
        match march::variants(release, clones) {
            // VPP takes the function of the variant with the highest priority.
            variants if !variants.is_empty() => record.node_fn_registrations = functions(function, variants),
            _ => record.function = Some(function),
        }
        record.name = name.as_ptr();
        record.r#type = VLIB_NODE_TYPE_INTERNAL;
        record.vector_size = size_of::<u32>() as u8;
        record.format_trace = format_trace;
        record.flags = if format_trace.is_some() { VLIB_NODE_FLAG_TRACE_SUPPORTED } else { 0 };
        record.n_errors = errors.len() as u16 + 1;
        record.error_counters = error_descriptions(errors);
        record.n_next_nodes = nexts.len() as u16;
        let names = (&raw mut (*registration).next_nodes).cast::<*const c_char>();
        for (i, next) in nexts.iter().enumerate() {
            *names.add(i) = next.as_ptr();
        }
    }
    registration
}

/// The list of a node's functions: one for every processor, and one for each variant.
fn functions(
    baseline: vlib_node_function_t,
    variants: Vec<(u32, vlib_node_function_t)>,
) -> *mut vlib_node_fn_registration_t {
    let mut list = core::ptr::null_mut();
    for (march_variant, function) in [(BASELINE_VARIANT, baseline)].into_iter().chain(variants) {
        let registration =
            vlib_node_fn_registration_t { function: Some(function), march_variant, next_registration: list };
        list = Box::leak(Box::new(registration));
    }
    list
}

/// The node's own counters, then the one for panics.
fn error_descriptions(errors: &[ErrorCounter]) -> *mut vlib_error_desc_t {
    let descriptions: Vec<_> = errors
        .iter()
        .chain([&PANIC])
        .map(|error| vlib_error_desc_t {
            name: error.name.as_ptr(),
            desc: error.description.as_ptr(),
            severity: error.severity.raw(),
            stats_entry_index: 0,
        })
        .collect();
    descriptions.leak().as_mut_ptr()
}

fn feature_registration(feature: &FeatureDescriptor) -> *mut vnet_feature_registration_t {
    let FeatureDescriptor { node, arc, runs_before, runs_after } = *feature;
    let registration = record_with_pointers::<vnet_feature_registration_t>(0);
    // SAFETY: a zeroed record; zero is a value of each field.
    let record = unsafe { &mut *registration };
    record.arc_name = arc.as_ptr();
    record.node_name = node.as_ptr();
    record.runs_before = names_with_null(runs_before);
    record.runs_after = names_with_null(runs_after);
    registration
}

/// C's way of writing a list of names; NULL for none.
fn names_with_null(names: &[&'static CStr]) -> *const *const c_char {
    if names.is_empty() {
        return core::ptr::null();
    }
    let names: Vec<_> = names.iter().map(|name| name.as_ptr()).chain([core::ptr::null()]).collect();
    names.leak().as_ptr()
}

fn init_registration(plugin: &'static Plugin) -> *mut _vlib_init_function_list_elt_t {
    let registration = record_with_pointers::<_vlib_init_function_list_elt_t>(0);
    let name: CString = c_string(&format!("{}_init", plugin.name().replace('-', "_")));
    // SAFETY: a zeroed record; zero is a value of each field.
    let record = unsafe { &mut *registration };
    record.f = Some(init);
    record.name = name.into_raw();
    registration
}

/// The plugin's init function, as VPP calls it.
unsafe extern "C" fn init(vm: *mut vlib_main_t) -> *mut clib_error_t {
    let plugin = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|r| r.plugin);
    match plugin {
        // SAFETY: VPP calls init functions on its main thread, before it starts workers.
        Some(plugin) => unsafe { call_init(plugin, vm) },
        None => core::ptr::null_mut(),
    }
}
