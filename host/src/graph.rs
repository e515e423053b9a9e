//! Nodes: registering them, and connecting them by name (`vlib/node.c`).

use std::ffi::{c_char, c_void};

use vppkit_sys::vlib::error::vlib_error_desc_t;
use vppkit_sys::vlib::frame::{
    VLIB_FRAME_NO_FREE_AFTER_DISPATCH, VLIB_FRAME_PENDING, VLIB_PENDING_FRAME_NO_NEXT_FRAME,
};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{
    VLIB_NODE_MAIN_RUNTIME_STARTED, VLIB_NODE_TYPE_INPUT, VLIB_NODE_TYPE_INTERNAL, vlib_node_function_t,
    vlib_node_registration_t, vlib_node_t,
};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::error::GraphError;
use crate::frames::Shape;
use crate::log::c_text;
use crate::nodes::{self, known};
use crate::state::{Flow, FormatRecord, Guard, NodeInfo, n_nodes, node, runtime, state};
use crate::vm::{Vm, unused_next_frame};
use crate::{counters, march, suggest, vec};

/// Node types as `nodes_by_type` knows them.
const N_TYPES: u32 = 5;
/// `vlib_node_runtime_t::runtime_data`.
const RUNTIME_DATA_BYTES: usize = 56;
/// `VLIB_NODE_FLAG_ALLOW_LAZY_NEXT_NODES`: next nodes may stay unknown.
const FLAG_LAZY: u16 = 1 << 10;
/// `VLIB_NODE_FLAG_FRAME_NO_FREE_AFTER_DISPATCH`.
const FLAG_NO_FREE: u16 = 1 << 0;

/// A node of the host's own.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) function: vlib_node_function_t,
    pub(crate) r#type: u32,
    pub(crate) flags: u16,
    pub(crate) scalar_size: usize,
    pub(crate) errors: &'static [vlib_error_desc_t],
    pub(crate) nexts: &'static [&'static str],
    pub(crate) sibling_of: Option<&'static str>,
    pub(crate) format: Option<FormatRecord>,
}

/// What `register` needs, wherever it comes from.
struct Spec<'a> {
    name: String,
    owner: Option<String>,
    function: vlib_node_function_t,
    r#type: u32,
    flags: u16,
    state: u8,
    sizes: (usize, usize, usize),
    errors: Vec<vlib_error_desc_t>,
    nexts: Vec<Option<String>>,
    sibling_of: Option<String>,
    format: Option<FormatRecord>,
    registration: Option<&'a vlib_node_registration_t>,
    runtime_data: &'a [u8],
}

/// Registers a node of the host's.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn register_builtin(vm: *mut vlib_main_t, builtin: &Builtin) -> Result<u32, GraphError> {
    let spec = Spec {
        name: builtin.name.into(),
        owner: None,
        function: builtin.function,
        r#type: builtin.r#type,
        flags: builtin.flags,
        state: 0,
        sizes: (builtin.scalar_size, 4, 0),
        errors: builtin.errors.iter().map(copy_desc).collect(),
        nexts: builtin.nexts.iter().map(|&n| Some(n.into())).collect(),
        sibling_of: builtin.sibling_of.map(String::from),
        format: builtin.format,
        registration: None,
        runtime_data: &[],
    };
    // SAFETY: by contract.
    unsafe { register(vm, spec) }
}

/// Registers a node that captures what it gets.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn register_sink(vm: *mut vlib_main_t, name: &str) -> Result<u32, GraphError> {
    let spec = Spec {
        name: name.into(),
        owner: None,
        function: nodes::sink::function,
        r#type: VLIB_NODE_TYPE_INTERNAL,
        flags: nodes::FLAG_IS_OUTPUT,
        state: 0,
        sizes: (0, 4, 0),
        errors: Vec::new(),
        nexts: Vec::new(),
        sibling_of: None,
        format: Some(nodes::sink::format),
        registration: None,
        runtime_data: &[],
    };
    // SAFETY: by contract.
    unsafe {
        let index = register(vm, spec)?;
        state(vm).sinks.nodes.push(index);
        Ok(index)
    }
}

/// Registers a plugin's node.
///
/// # Safety
/// `vm` is the host's; `registration` is a plugin's, as VPP's headers describe it.
pub(crate) unsafe fn register_plugin_node(
    vm: *mut vlib_main_t,
    registration: *mut vlib_node_registration_t,
    owner: &str,
) -> Result<u32, GraphError> {
    // SAFETY: by contract.
    unsafe {
        let r = &*registration;
        let name = c_text(r.name);
        let bad = |what: String| GraphError::Registration { node: name.clone(), what };
        if name.is_empty() {
            return Err(bad("has no name".into()));
        }
        if known::is_core_node(&name) {
            return Err(GraphError::NodeOfVpp { name, plugin: owner.into() });
        }
        if known::is_vpp_node(&name) {
            state(vm).warnings.push(format!(
                "node `{name}` of `{owner}` has the name of a node of VPP's plugins: \
                 VPP ends when a name is used twice, so both cannot be loaded"
            ));
        }
        if r.r#type >= N_TYPES {
            return Err(bad(format!("type {} does not exist", r.r#type)));
        }
        if usize::from(r.runtime_data_bytes) > RUNTIME_DATA_BYTES {
            return Err(bad(format!(
                "{} bytes of runtime data, VPP has room for {RUNTIME_DATA_BYTES} and does not check",
                r.runtime_data_bytes
            )));
        }
        if r.r#type == VLIB_NODE_TYPE_INTERNAL && r.vector_size == 0 {
            return Err(bad("vector_size is 0; an internal node gets buffer indices of 4 bytes".into()));
        }
        if r.r#type == VLIB_NODE_TYPE_INTERNAL && r.vector_size != 4 {
            return Err(bad(format!("vector_size is {}; buffer indices have 4 bytes", r.vector_size)));
        }
        let sibling_of = (!r.sibling_of.is_null()).then(|| c_text(r.sibling_of));
        if sibling_of.is_some() && r.n_next_nodes > 0 {
            return Err(bad("is a sibling and names next nodes; a sibling has those of its sibling".into()));
        }
        let function = if r.node_fn_registrations.is_null() {
            r.function.ok_or_else(|| GraphError::NoFunction { node: name.clone() })?
        } else {
            march::choose(vm, r.node_fn_registrations, &name)?
        };
        (*registration).function = Some(function);

        let mut errors = Vec::new();
        for i in 0..usize::from(r.n_errors) {
            errors.push(if !r.error_counters.is_null() {
                copy_desc(&*r.error_counters.add(i))
            } else if !r.error_strings.is_null() {
                let text = *r.error_strings.add(i);
                vlib_error_desc_t { name: text, desc: text, severity: 0, stats_entry_index: 0 }
            } else {
                return Err(bad(format!("{} errors without descriptions", r.n_errors)));
            });
        }
        // The names follow the registration in memory.
        let next_nodes = (&raw const (*registration).next_nodes).cast::<*const c_char>();
        let nexts = (0..usize::from(r.n_next_nodes))
            .map(|i| *next_nodes.add(i))
            .map(|next| (!next.is_null()).then(|| c_text(next)))
            .collect();
        let runtime_data = if r.runtime_data.is_null() {
            &[]
        } else {
            std::slice::from_raw_parts(r.runtime_data.cast::<u8>(), usize::from(r.runtime_data_bytes))
        };
        let spec = Spec {
            name,
            owner: Some(owner.into()),
            function,
            r#type: r.r#type,
            flags: r.flags,
            state: r.state,
            sizes: (usize::from(r.scalar_size), usize::from(r.vector_size), usize::from(r.aux_size)),
            errors,
            nexts,
            sibling_of,
            format: None,
            registration: Some(r),
            runtime_data,
        };
        let index = register(vm, spec)?;
        (*registration).index = index;
        Ok(index)
    }
}

fn copy_desc(d: &vlib_error_desc_t) -> vlib_error_desc_t {
    vlib_error_desc_t { name: d.name, desc: d.desc, severity: d.severity, stats_entry_index: 0 }
}

/// Registers a node.
///
/// # Safety
/// `vm` is the host's and its graph does not run; what `spec` points to is VPP's or a loaded plugin's.
unsafe fn register(vm: *mut vlib_main_t, spec: Spec<'_>) -> Result<u32, GraphError> {
    // SAFETY: the structures are the host's; the graph does not run yet.
    unsafe {
        let mut st = state(vm);
        if let Some(&first) = st.by_name.get(&spec.name) {
            let who = |owner: &Option<String>| match owner {
                Some(plugin) => format!("`{plugin}`"),
                None => String::from("VPP itself"),
            };
            return Err(match (&st.nodes[first as usize].owner, spec.owner) {
                (None, Some(plugin)) => GraphError::NodeOfVpp { name: spec.name, plugin },
                (first, second) => {
                    GraphError::DuplicateNode { first: who(first), second: who(&second), name: spec.name }
                }
            });
        }
        let nm = &raw mut (*vm).node_main;
        let index = n_nodes(vm);
        let n = vec::zeroed(size_of::<vlib_node_t>()).cast::<vlib_node_t>();
        vec::push(&raw mut (*nm).nodes, n);
        (*n).index = index;
        (*n).name = vec::from_bytes(spec.name.as_bytes());
        (*n).function = Some(spec.function);
        (*n).r#type = spec.r#type;
        (*n).flags = spec.flags;
        (*n).state = spec.state;
        if let Some(r) = spec.registration {
            (*n).node_fn_registrations = r.node_fn_registrations;
            (*n).protocol_hint = r.protocol_hint;
            (*n).format_buffer = r.format_buffer;
            (*n).unformat_buffer = r.unformat_buffer;
            (*n).format_trace = r.format_trace;
            (*n).validate_frame = r.validate_frame;
            (*n).sibling_of = r.sibling_of;
            (*n).runtime_data_bytes = r.runtime_data_bytes;
        }

        let shape = Shape::new(spec.sizes.0, spec.sizes.1, spec.sizes.2);
        let too_big = || GraphError::Registration {
            node: spec.name.clone(),
            what: format!("its frames would have {} bytes, VPP can describe 65535", shape.size),
        };
        (*n).frame_size = u16::try_from(shape.size).map_err(|_| too_big())?;
        (*n).scalar_offset = shape.scalar_offset as u16;
        (*n).vector_offset = shape.vector_offset as u16;
        (*n).magic_offset = shape.magic_offset as u16;
        (*n).aux_offset = shape.aux_offset as u16;
        let sizes = vec::slice((*nm).frame_sizes);
        (*n).frame_size_index = match sizes.iter().position(|s| s.frame_size == (*n).frame_size) {
            Some(i) => i as u16,
            None => {
                let size = vppkit_sys::vlib::frame::vlib_frame_size_t {
                    n_alloc_frames: 0,
                    frame_size: (*n).frame_size,
                    free_frames: std::ptr::null_mut(),
                };
                vec::push(&raw mut (*nm).frame_sizes, size) as u16
            }
        };

        counters::register(vm, n, &spec.errors)?;
        (*n).owner_node_index = !0;
        (*n).owner_next_index = !0;
        let n_next = spec.nexts.len();
        if n_next > 0 {
            vec::validate(&raw mut (*n).next_nodes, n_next - 1, !0);
            vec::resize(&raw mut (*n).n_vectors_by_next_node, n_next);
        }

        let runtimes = &raw mut (*nm).nodes_by_type[spec.r#type as usize];
        let at = vec_len(*runtimes);
        // Room for one more, of zeroes: writes behind the last runtime are seen there.
        vec::resize(runtimes, at + 2);
        vec::resize(runtimes, at + 1);
        (*n).runtime_index = at as u32;
        if spec.r#type == VLIB_NODE_TYPE_INPUT {
            (*nm).input_node_counts_by_state[usize::from(spec.state.min(2))] += 1;
        }
        let rt = (*runtimes).add(at);
        (*rt).function = Some(spec.function);
        (*rt).flags = spec.flags;
        (*rt).state = spec.state;
        (*rt).node_index = index;
        (*rt).n_next_nodes = n_next as u16;
        (*rt).next_frame_index = vec_len((*nm).next_frames) as u32;
        for _ in 0..n_next {
            vec::push(&raw mut (*nm).next_frames, unused_next_frame());
        }
        for i in 0..spec.errors.len() {
            vec::push(&raw mut (*rt).errors, ((*n).error_heap_index as usize + i) as u16);
        }
        (&mut (*rt).runtime_data)[..spec.runtime_data.len()].copy_from_slice(spec.runtime_data);

        st.by_name.insert(spec.name.clone(), index);
        st.nodes.push(NodeInfo {
            name: spec.name,
            owner: spec.owner,
            siblings: Vec::new(),
            unresolved: spec.nexts.into_iter().enumerate().filter_map(|(i, n)| Some((i, n?))).collect(),
            sibling_of: spec.sibling_of,
            format: spec.format,
            guard: Guard { function: Some(spec.function), errors: (*rt).errors },
            flow: Flow::default(),
            places: None,
        });
        Ok(index)
    }
}

/// Connects siblings and next nodes by name, as VPP does once all nodes are known. A name that nothing has
/// becomes a sink, unless it is nearly a known one.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn connect(vm: *mut vlib_main_t) -> Result<(), GraphError> {
    // SAFETY: by contract.
    let handle = unsafe { Vm::new(vm) };
    // SAFETY: by contract; the state is given back before the graph changes.
    unsafe {
        (*vm).node_main.flags |= VLIB_NODE_MAIN_RUNTIME_STARTED;
        for i in 0..n_nodes(vm) {
            let Some(sibling) = state(vm).nodes[i as usize].sibling_of.clone() else { continue };
            let mut st = state(vm);
            let Some(&other) = st.by_name.get(&sibling) else {
                return Err(GraphError::NoSibling {
                    node: st.name(i).into(),
                    hint: suggest::hint(&sibling, st.names()),
                    sibling,
                });
            };
            let mut family = st.nodes[other as usize].siblings.clone();
            family.push(other);
            for &member in &family {
                st.nodes[member as usize].siblings.push(i);
            }
            st.nodes[i as usize].siblings.extend(family);
            drop(st);
            // The next nodes that its sibling already has.
            for (slot, next) in handle.node(other).nexts().into_iter().enumerate().filter(|&(_, n)| n != !0) {
                connect_nodes(handle, i, next, Some(slot));
            }
        }
        // Sinks are added on the way and have no next nodes.
        for i in 0..handle.n_nodes() {
            let unresolved = std::mem::take(&mut handle.state().nodes[i as usize].unresolved);
            for (slot, next) in unresolved {
                let lazy = handle.node(i).flags() & FLAG_LAZY != 0;
                if let Some(to) = resolve(vm, i, &next, lazy)? {
                    connect_nodes(handle, i, to, Some(slot));
                }
            }
        }
    }
    // Frames to such nodes are freed by the nodes themselves.
    for i in 0..handle.n_nodes() {
        for (slot, &next) in handle.node(i).nexts().iter().enumerate() {
            if next != !0 && handle.node(next).flags() & FLAG_NO_FREE != 0 {
                handle.runtime(i).next_frame(slot as u32).set(VLIB_FRAME_NO_FREE_AFTER_DISPATCH);
            }
        }
    }
    Ok(())
}

/// The node that a next node's name stands for.
///
/// # Safety
/// `vm` is the host's.
unsafe fn resolve(
    vm: *mut vlib_main_t,
    from: u32,
    next: &str,
    lazy: bool,
) -> Result<Option<u32>, GraphError> {
    // SAFETY: as for `connect`.
    let mut st = unsafe { state(vm) };
    if let Some(&index) = st.by_name.get(next) {
        return Ok(Some(index));
    }
    if lazy {
        return Ok(None);
    }
    let from_name = st.name(from).to_owned();
    if !known::is_vpp_node(next) {
        let known = || st.names().chain(known::names());
        match suggest::nearest(next, known()) {
            Some((near, d)) if d <= 2 && d * 3 <= next.len() => {
                return Err(GraphError::MisspeltNext {
                    node: from_name,
                    next: next.into(),
                    nearest: near.into(),
                });
            }
            _ => {
                let hint = suggest::hint(next, known());
                st.warnings.push(format!(
                    "next node `{next}` of `{from_name}` is not known{hint}; packets sent there go to a sink; \
                     VPP does not start unless another plugin has it"
                ));
            }
        }
    }
    drop(st);
    // SAFETY: as above.
    unsafe { register_sink(vm, next) }.map(Some)
}

/// VPP's `vlib_node_add_next_with_slot`.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe extern "C" fn add_next(vm: *mut vlib_main_t, from: usize, to: usize, slot: usize) -> usize {
    // SAFETY: by contract.
    connect_nodes(unsafe { Vm::new(vm) }, from as u32, to as u32, (slot != usize::MAX).then_some(slot))
}

/// Makes a node a next node of another, and of its siblings. Gives the next index.
fn connect_nodes(vm: Vm, from: u32, to: u32, slot: Option<usize>) -> usize {
    let nexts = vm.node(from).nexts();
    let existing = nexts.iter().position(|&next| next == to);
    if let Some(existing) = existing
        && slot.is_none_or(|slot| slot == existing)
    {
        return existing;
    }
    let slot = slot.unwrap_or(nexts.len());
    vm.node(from).set_next(slot, to);
    update_runtime(vm, from, slot as u32);
    let siblings = vm.state().nodes[from as usize].siblings.clone();
    for sibling in siblings {
        if vm.node(sibling).nexts().get(slot) != Some(&to) {
            connect_nodes(vm, sibling, to, Some(slot));
        }
    }
    slot
}

/// Makes room for a node's new next frames and sets the one in `slot`.
fn update_runtime(vm: Vm, index: u32, slot: u32) {
    let n_nexts = vm.node(index).nexts().len() as u32;
    let rt = vm.runtime(index);
    let have = u32::from(rt.n_next_nodes());
    let grow = n_nexts - have;
    if grow > 0 {
        let at = rt.next_frame_index() + have;
        vm.insert_next_frames(at as usize, grow as usize);
        for other in (0..vm.n_nodes()).filter(|&other| other != index).map(|other| vm.runtime(other)) {
            if other.next_frame_index() >= at {
                other.set_next_frame_index(other.next_frame_index() + grow);
            }
        }
        for pending in (0..vm.n_pending()).map(|i| vm.pending(i)) {
            let next = pending.next_frame_index();
            if next != VLIB_PENDING_FRAME_NO_NEXT_FRAME && next >= at {
                pending.set_next_frame_index(next + grow);
            }
        }
        rt.set_n_next_nodes(n_nexts as u16);
    }
    let nf = rt.next_frame(slot);
    debug_assert!(!nf.has(VLIB_FRAME_PENDING), "a slot in use is not changed");
    nf.set_node_runtime_index(vm.node(vm.node(index).next(slot)).runtime_index());
}

/// VPP's `vlib_node_add_named_next_with_slot`.
///
/// # Safety
/// `vm` is the host's, `from` a node's index, `name` a C string or NULL.
pub(crate) unsafe extern "C" fn add_named_next(
    vm: *mut vlib_main_t,
    from: usize,
    name: *const c_char,
    slot: usize,
) -> usize {
    // SAFETY: callers pass a node's index and a C string.
    unsafe {
        let to = state(vm).by_name.get(&c_text(name)).copied();
        to.map_or(usize::MAX, |to| add_next(vm, from, to as usize, slot))
    }
}

/// VPP's `vlib_get_node_by_name`.
///
/// # Safety
/// `vm` is the host's, `name` a C string or NULL.
pub(crate) unsafe extern "C" fn get_node_by_name(vm: *mut vlib_main_t, name: *const c_char) -> *mut c_void {
    // SAFETY: callers pass a C string.
    unsafe {
        let index = state(vm).by_name.get(&c_text(name)).copied();
        index.map_or(std::ptr::null_mut(), |index| node(vm, index).cast())
    }
}

/// Moves the counts of a runtime to the node, as VPP does before it shows them.
pub(crate) fn sync_stats(vm: Vm, index: u32) {
    let (n, rt) = (vm.node(index), vm.runtime(index));
    n.add_stats(rt);
    rt.set_calls_since_last_overflow(0);
    rt.set_vectors_since_last_overflow(0);
    rt.set_clocks_since_last_overflow(0);
    for slot in 0..u32::from(rt.n_next_nodes()) {
        let nf = rt.next_frame(slot);
        n.count_next(slot, u64::from(nf.vectors_since_last_overflow()));
        nf.set_vectors_since_last_overflow(0);
    }
}

/// Frees all that `register` allocated.
///
/// # Safety
/// `vm` is the host's and nothing uses its nodes any more.
pub(crate) unsafe fn destroy(vm: *mut vlib_main_t) {
    // SAFETY: by contract.
    unsafe {
        let nm = &raw mut (*vm).node_main;
        for i in 0..n_nodes(vm) {
            let rt = runtime(vm, i);
            vec::free(&raw mut (*rt).errors);
        }
        for i in 0..n_nodes(vm) {
            let n = node(vm, i);
            vec::free(&raw mut (*n).name);
            vec::free(&raw mut (*n).next_nodes);
            vec::free(&raw mut (*n).n_vectors_by_next_node);
            vec::release(n.cast());
        }
        vec::free(&raw mut (*nm).nodes);
        for i in 0..N_TYPES as usize {
            vec::free(&raw mut (*nm).nodes_by_type[i]);
        }
        for i in 0..vec_len((*nm).frame_sizes) {
            vec::free(&raw mut (*(*nm).frame_sizes.add(i)).free_frames);
        }
        vec::free(&raw mut (*nm).frame_sizes);
        vec::free(&raw mut (*nm).next_frames);
        vec::free(&raw mut (*nm).pending_frames);
        vec::free(&raw mut (*nm).variants);
        vec::free(&raw mut (*nm).node_by_error);
        let em = &raw mut (*vm).error_main;
        vec::free(&raw mut (*em).counters);
        vec::free(&raw mut (*em).counters_heap);
        let frames = std::mem::take(&mut state(vm).frames);
        for frame in frames {
            vec::release(frame.ptr().cast());
        }
    }
}
