//! Nodes written by hand against VPP's structures, as a C plugin would have them, linked into the test.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::net::Ipv4Addr;

use etherparse::PacketBuilder;
use vppkit_host::{Host, HostError, Packets, Report, ViolationKind};
use vppkit_sys::release::{self, ArcHeap, Release};
use vppkit_sys::vlib::buffer::{VLIB_BUFFER_NEXT_PRESENT, vlib_buffer_t};
use vppkit_sys::vlib::buffer_funcs::vlib_buffer_func_main_t;
use vppkit_sys::vlib::error::vlib_error_desc_t;
use vppkit_sys::vlib::frame::vlib_frame_t;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{vlib_node_fn_registration_t, vlib_node_registration_t, vlib_node_runtime_t};
use vppkit_sys::vnet::feature::{vnet_feature_main_t, vnet_feature_registration_t};

/// What a node does with a frame.
pub type Behaviour = fn(&Call);

/// A node of a test.
pub struct Node {
    pub name: &'static str,
    pub next: Vec<&'static str>,
    pub errors: Vec<&'static str>,
    pub behaviour: Behaviour,
    pub sibling_of: Option<&'static str>,
    pub vector_size: u8,
    pub r#type: u32,
    /// Instead of one function: march variants.
    pub variants: Vec<u32>,
    pub extra_runtime_data: u8,
    pub format_trace: Option<vppkit_sys::vlib::node::format_function_t>,
}

pub fn node(name: &'static str, next: &[&'static str], behaviour: Behaviour) -> Node {
    Node {
        name,
        next: next.to_vec(),
        errors: Vec::new(),
        behaviour,
        sibling_of: None,
        vector_size: 4,
        r#type: 0,
        variants: Vec::new(),
        extra_runtime_data: 0,
        format_trace: None,
    }
}

/// A feature of a test.
pub struct Feature {
    pub arc: &'static str,
    pub node: &'static str,
    pub before: Vec<&'static str>,
    pub after: Vec<&'static str>,
}

pub fn feature(
    arc: &'static str,
    node: &'static str,
    before: &[&'static str],
    after: &[&'static str],
) -> Feature {
    Feature { arc, node, before: before.to_vec(), after: after.to_vec() }
}

#[derive(Default)]
struct Plan {
    nodes: Vec<Node>,
    features: Vec<Feature>,
    registered: Vec<*mut vlib_node_registration_t>,
    registered_features: Vec<*mut vnet_feature_registration_t>,
    forget: bool,
}

thread_local! {
    static PLAN: RefCell<Plan> = RefCell::default();
}

/// A host with these nodes and features.
pub fn host(nodes: Vec<Node>, features: Vec<Feature>) -> Host {
    PLAN.with_borrow_mut(|p| *p = Plan { nodes, features, ..Plan::default() });
    Host::new().linked_plugin("test-plugin", register, withdraw)
}

/// Makes the plugin leave its registrations in VPP's lists.
pub fn forget_to_withdraw() {
    PLAN.with_borrow_mut(|p| p.forget = true);
}

pub fn symbol<T>(name: &CStr) -> *mut T {
    // SAFETY: looks a name up.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    assert!(!address.is_null(), "{name:?}");
    address.cast()
}

pub fn running_release() -> &'static Release {
    // SAFETY: the host puts a C string there.
    let version = unsafe { CStr::from_ptr(*symbol::<*const c_char>(c"vlib_plugin_app_version")) };
    release::find(version.to_str().unwrap()).unwrap()
}

fn c(text: &str) -> *const c_char {
    CString::new(text).unwrap().into_raw()
}

fn list(names: &[&str]) -> *const *const c_char {
    let names: Vec<_> = names.iter().map(|n| c(n)).chain([std::ptr::null()]).collect();
    Box::leak(names.into_boxed_slice()).as_ptr()
}

fn node_list() -> *mut *mut vlib_node_registration_t {
    let main = symbol::<u8>(c"vlib_global_main");
    // SAFETY: the release's offset.
    unsafe { main.add(running_release().vlib_global_main.node_registrations).cast() }
}

fn register() -> Result<(), String> {
    PLAN.with_borrow_mut(|plan| {
        for n in &plan.nodes {
            let r = make(n);
            // SAFETY: the list is VPP's; the record lives for ever.
            unsafe {
                (*r).next_registration = *node_list();
                *node_list() = r;
            }
            plan.registered.push(r);
        }
        let fm = symbol::<vnet_feature_main_t>(c"feature_main");
        for f in &plan.features {
            // SAFETY: as above.
            let next = unsafe { (*fm).next_feature };
            let r = Box::leak(Box::new(vnet_feature_registration_t {
                next,
                next_in_arc: std::ptr::null_mut(),
                arc_name: c(f.arc),
                node_name: c(f.node),
                feature_index_ptr: std::ptr::null_mut(),
                feature_index: 0,
                runs_before: list(&f.before),
                runs_after: list(&f.after),
                enable_disable_cb: None,
            }));
            // SAFETY: as above.
            unsafe { (*fm).next_feature = r };
            plan.registered_features.push(r);
        }
    });
    Ok(())
}

fn withdraw() {
    PLAN.with_borrow_mut(|plan| {
        if plan.forget {
            return;
        }
        // SAFETY: removes our records from VPP's lists.
        unsafe {
            for &r in &plan.registered {
                let mut at = node_list();
                while *at != r {
                    at = &raw mut (**at).next_registration;
                }
                *at = (*r).next_registration;
            }
            let fm = symbol::<vnet_feature_main_t>(c"feature_main");
            for &r in &plan.registered_features {
                let mut at = &raw mut (*fm).next_feature;
                while *at != r {
                    at = &raw mut (**at).next;
                }
                *at = (*r).next;
            }
        }
    });
}

fn make(n: &Node) -> *mut vlib_node_registration_t {
    let names: Vec<*const c_char> = n.next.iter().map(|n| c(n)).collect();
    let bytes = size_of::<vlib_node_registration_t>() + names.len() * 8;
    let memory = Box::leak(vec![0_u64; bytes / 8].into_boxed_slice()).as_mut_ptr();
    let r = memory.cast::<vlib_node_registration_t>();
    let errors: Vec<vlib_error_desc_t> = n
        .errors
        .iter()
        .map(|e| vlib_error_desc_t {
            name: c(e),
            desc: c(&format!("{e} packets")),
            severity: 0,
            stats_entry_index: 0,
        })
        .collect();
    // SAFETY: the memory is zeroed and large enough for the record and the names behind it.
    unsafe {
        (*r).name = c(n.name);
        (*r).r#type = n.r#type;
        (*r).vector_size = n.vector_size;
        (*r).sibling_of = n.sibling_of.map_or(std::ptr::null(), c);
        (*r).n_errors = errors.len() as u16;
        (*r).error_counters = Box::leak(errors.into_boxed_slice()).as_mut_ptr();
        (*r).n_next_nodes = names.len() as u16;
        (*r).format_trace = n.format_trace;
        (&raw mut (*r).next_nodes).cast::<*const c_char>().copy_from(names.as_ptr(), names.len());
        (*r).runtime_data =
            Box::leak(Box::new([n.behaviour as usize, 0, 0, 0, 0, 0, 0, 0, 0])).as_mut_ptr().cast();
        (*r).runtime_data_bytes = 8 + n.extra_runtime_data;
        if n.variants.is_empty() {
            (*r).function = Some(trampoline);
        }
        for &march_variant in &n.variants {
            (*r).node_fn_registrations = Box::leak(Box::new(vlib_node_fn_registration_t {
                function: Some(trampoline),
                march_variant,
                next_registration: (*r).node_fn_registrations,
            }));
        }
    }
    r
}

unsafe extern "C" fn trampoline(
    vm: *mut vlib_main_t,
    rt: *mut vlib_node_runtime_t,
    frame: *mut vlib_frame_t,
) -> usize {
    // SAFETY: the runtime data starts with a behaviour.
    unsafe {
        let behaviour: Behaviour =
            std::mem::transmute((&raw const (*rt).runtime_data).cast::<usize>().read());
        let call = Call { vm, rt, frame };
        behaviour(&call);
        if frame.is_null() { 0 } else { usize::from((*frame).n_vectors) }
    }
}

/// A node's arguments, and what C nodes do with them.
pub struct Call {
    pub vm: *mut vlib_main_t,
    pub rt: *mut vlib_node_runtime_t,
    pub frame: *mut vlib_frame_t,
}

impl Call {
    pub fn indices(&self) -> Vec<u32> {
        // SAFETY: the frame's vectors.
        unsafe {
            let at = self.frame.cast::<u8>().add((*self.frame).vector_offset as usize).cast::<u32>();
            std::slice::from_raw_parts(at, usize::from((*self.frame).n_vectors)).to_vec()
        }
    }

    pub fn buffer(&self, index: u32) -> *mut vlib_buffer_t {
        // SAFETY: as VPP's vlib_get_buffer.
        unsafe {
            ((*(*self.vm).buffer_main).buffer_mem_start + ((index as usize) << 6)) as *mut vlib_buffer_t
        }
    }

    /// The packet's bytes in its first buffer.
    #[expect(clippy::mut_from_ref, reason = "the bytes are not the call's")]
    pub fn bytes(&self, index: u32) -> &mut [u8] {
        let b = self.buffer(index);
        // SAFETY: the packet is inside of its buffer.
        unsafe {
            let data = b.cast::<u8>().add(256).offset((*b).current_data as isize);
            std::slice::from_raw_parts_mut(data, usize::from((*b).current_length))
        }
    }

    pub fn enqueue(&self, indices: &[u32], nexts: &[u16]) {
        let funcs = symbol::<vlib_buffer_func_main_t>(c"vlib_buffer_func_main");
        let mut nexts = nexts.to_vec();
        nexts.resize(nexts.len() + 64, 0);
        // SAFETY: as VPP's vlib_buffer_enqueue_to_next.
        unsafe {
            (*funcs).buffer_enqueue_to_next_fn.unwrap()(
                self.vm,
                self.rt,
                indices.as_ptr() as *mut u32,
                nexts.as_mut_ptr(),
                indices.len(),
            );
        }
    }

    pub fn enqueue_all(&self, next: u16) {
        let indices = self.indices();
        self.enqueue(&indices, &vec![next; indices.len()]);
    }

    /// Sends each packet to the next feature, as VPP's inline function does.
    pub fn next_feature(&self) {
        let release = running_release();
        let fm = symbol::<vnet_feature_main_t>(c"feature_main");
        let indices = self.indices();
        let nexts: Vec<u16> = indices
            .iter()
            .map(|&i| {
                let b = self.buffer(i);
                // SAFETY: the release's layout.
                unsafe {
                    let heap: *mut u32 = match release.arc_heap {
                        ArcHeap::Shared { heap_offset } => *fm.cast::<u8>().add(heap_offset).cast(),
                        ArcHeap::PerArc { arc_index_offset } => {
                            let arc = *(&raw const (*b).opaque).cast::<u8>().add(arc_index_offset);
                            let config = (*fm)
                                .feature_config_mains
                                .cast::<u8>()
                                .add(usize::from(arc) * release.vnet_feature_config_main.size)
                                .cast::<vppkit_sys::vnet::config::vnet_config_main_t>();
                            (*config).config_string_heap
                        }
                    };
                    let next = *heap.add((*b).current_config_index as usize);
                    (*b).current_config_index += 1;
                    next as u16
                }
            })
            .collect();
        self.enqueue(&indices, &nexts);
    }

    pub fn get_frame(&self, next: u32) -> *mut vlib_frame_t {
        type F =
            unsafe extern "C" fn(*mut vlib_main_t, *mut vlib_node_runtime_t, u32, u32) -> *mut vlib_frame_t;
        // SAFETY: VPP's function of that name.
        unsafe {
            let f: F = std::mem::transmute(symbol::<c_void>(c"vlib_get_next_frame_internal"));
            f(self.vm, self.rt, next, 0)
        }
    }

    pub fn put_frame(&self, next: u32, n_left: u32) {
        type F = unsafe extern "C" fn(*mut vlib_main_t, *mut vlib_node_runtime_t, u32, u32);
        // SAFETY: VPP's function of that name.
        unsafe {
            let f: F = std::mem::transmute(symbol::<c_void>(c"vlib_put_next_frame"));
            f(self.vm, self.rt, next, n_left);
        }
    }

    pub fn add_trace(&self, index: u32, n: u32) -> *mut u8 {
        type F = unsafe extern "C" fn(
            *mut vlib_main_t,
            *mut vlib_node_runtime_t,
            *mut vlib_buffer_t,
            u32,
        ) -> *mut u8;
        // SAFETY: VPP's function of that name.
        unsafe {
            let f: F = std::mem::transmute(symbol::<c_void>(c"vlib_add_trace"));
            f(self.vm, self.rt, self.buffer(index), n)
        }
    }

    /// Frees one buffer as VPP's inline function does.
    pub fn free(&self, index: u32) {
        // SAFETY: the pool is laid out as VPP's.
        unsafe {
            let b = self.buffer(index);
            let bm = (*self.vm).buffer_main;
            let pool = (*bm).buffer_pools;
            b.cast::<[u8; 64]>().copy_from((&raw const (*pool).buffer_template).cast(), 1);
            if !(*bm).free_callback_fn.is_null() {
                type F = unsafe extern "C" fn(*mut vlib_main_t, u8, *mut u32, u32) -> u32;
                let f: F = std::mem::transmute((*bm).free_callback_fn);
                f(self.vm, 0, &mut { index }, 1);
            }
            let cache = (*pool).threads;
            (&mut (*cache).cached_buffers)[(*cache).n_cached as usize] = index;
            (*cache).n_cached += 1;
        }
    }

    /// Takes one buffer as VPP's inline function does.
    pub fn alloc(&self) -> u32 {
        // SAFETY: as above.
        unsafe {
            let bm = (*self.vm).buffer_main;
            let cache = (*(*bm).buffer_pools).threads;
            if (*cache).n_cached == 0 {
                let pool = (*bm).buffer_pools;
                (*pool).n_avail -= 1;
                (&mut (*cache).cached_buffers)[0] = *(*pool).buffers.add((*pool).n_avail as usize);
                (*cache).n_cached = 1;
            }
            (*cache).n_cached -= 1;
            let index = (&(*cache).cached_buffers)[(*cache).n_cached as usize];
            if !(*bm).alloc_callback_fn.is_null() {
                type F = unsafe extern "C" fn(*mut vlib_main_t, u8, *mut u32, u32) -> u32;
                let f: F = std::mem::transmute((*bm).alloc_callback_fn);
                f(self.vm, 0, &mut { index }, 1);
            }
            index
        }
    }

    /// Appends a buffer to a packet of one buffer.
    pub fn chain(&self, head: u32, tail: u32) {
        // SAFETY: both are buffers.
        unsafe {
            let b = self.buffer(head);
            (*b).flags |= VLIB_BUFFER_NEXT_PRESENT;
            (*b).next_buffer = tail;
        }
    }
}

/// UDP packets that are all good.
pub fn udp(n: usize) -> Packets {
    Packets::from_bytes((0..n).map(|i| udp_packet(Ipv4Addr::new(10, 0, 0, (i % 250) as u8 + 1), b"data")))
}

pub fn udp_packet(source: Ipv4Addr, payload: &[u8]) -> Vec<u8> {
    let builder = PacketBuilder::ethernet2([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2])
        .ipv4(source.octets(), [10, 9, 9, 9], 64)
        .udp(1000, 2000);
    let mut packet = Vec::new();
    builder.write(&mut packet, payload).unwrap();
    packet
}

/// Runs a misbehaving node on ip4-unicast and gives the violations.
pub fn violations(behaviour: Behaviour) -> Vec<vppkit_host::Violation> {
    misbehave(behaviour, 4).violations().to_vec()
}

pub fn misbehave(behaviour: Behaviour, packets: usize) -> Report {
    let nodes = vec![node("culprit", &["ip4-lookup", "error-drop"], behaviour)];
    let error = host(nodes, vec![feature("ip4-unicast", "culprit", &[], &[])])
        .inject(udp(packets))
        .run()
        .expect_err("the node breaks a rule");
    let HostError::Violations { report } = error else { panic!("{error}") };
    *report
}

/// The only violation, which must be of that kind and of the culprit.
#[track_caller]
pub fn only(violations: &[vppkit_host::Violation], kind: ViolationKind) -> String {
    let [v] = violations else { panic!("{violations:?}") };
    assert_eq!((v.kind, v.node.as_str()), (kind, "culprit"), "{v}");
    v.message.clone()
}
