//! Instruction-set variants: which a release knows, and which this CPU runs (`vppinfra/cpu.h`).

use std::ffi::{CString, c_char};

use vppkit_sys::release::Release;
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{vlib_node_fn_registration_t, vlib_node_fn_variant_t, vlib_node_function_t};
use vppkit_sys::vppinfra::vec::vec_len;

use crate::error::GraphError;
use crate::state::state;
use crate::vec;

/// VPP's priority of a variant on this CPU; negative if it cannot run it.
pub(crate) fn priority(suffix: &str) -> i32 {
    macro_rules! has {
        ($($feature:tt),+) => { true $(&& std::is_x86_feature_detected!($feature))+ };
    }
    let (runs, priority) = match suffix {
        "default" => return 0,
        "scalar" => return 1,
        "hsw" => (has!("avx2"), 50),
        "trm" => (cpuid_7(2, 27), 40),
        "skx" => (has!("avx512f"), 100),
        "icl" => (has!("avx512bitalg"), 200),
        "adl" => (cpuid_7(2, 27) && has!("avx2"), 150),
        "spr" => (cpuid_7(2, 29), 300),
        "znver3" => (has!("avx2") && monitorx(), 70),
        "znver4" => (has!("avx512bitalg") && monitorx(), 250),
        "znver5" => (has!("avx512bitalg", "avx512vp2intersect") && monitorx(), 260),
        "x86_64_v3" => (has!("avx2", "bmi1", "bmi2", "fma", "movbe", "lzcnt"), 45),
        "x86_64_v4" => (has!("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"), 95),
        _ => return -1,
    };
    if runs { priority } else { -1 }
}

/// A bit of CPUID leaf 7: `register` 2 is ecx.
fn cpuid_7(register: u8, bit: u32) -> bool {
    let leaf = core::arch::x86_64::__cpuid_count(7, 0);
    let value = match register {
        2 => leaf.ecx,
        _ => leaf.edx,
    };
    value >> bit & 1 != 0
}

/// MONITORX, which only AMD's CPUs have.
fn monitorx() -> bool {
    core::arch::x86_64::__cpuid(0x8000_0001).ecx >> 29 & 1 != 0
}

/// Fills `vlib_node_main_t::variants` for a release. The strings live as long as the result.
///
/// # Safety
/// `vm` is the host's and has no variants.
pub(crate) unsafe fn register(vm: *mut vlib_main_t, release: &Release) -> Vec<CString> {
    let mut strings = Vec::new();
    // SAFETY: by contract.
    unsafe {
        (*vm).node_main.node_fn_default_march_variant = !0;
        for variant in release.march_variants {
            let suffix = CString::new(variant.suffix).unwrap_or_default();
            let v = vlib_node_fn_variant_t {
                index: variant.index,
                priority: priority(variant.suffix),
                suffix: suffix.as_ptr() as *mut c_char,
                desc: suffix.as_ptr() as *mut c_char,
            };
            vec::push(&raw mut (*vm).node_main.variants, v);
            strings.push(suffix);
        }
    }
    strings
}

/// The function of highest priority. VPP checks neither the index nor that there is one.
///
/// # Safety
/// `vm` is the host's, `first` a plugin's list.
pub(crate) unsafe fn choose(
    vm: *mut vlib_main_t,
    first: *mut vlib_node_fn_registration_t,
    node: &str,
) -> Result<vlib_node_function_t, GraphError> {
    // SAFETY: by contract.
    unsafe {
        let variants = (*vm).node_main.variants;
        let forced = (*vm).node_main.node_fn_default_march_variant;
        let mut best = (-1, None);
        let mut at = first;
        while let Some(r) = at.as_ref() {
            if r.march_variant as usize >= vec_len(variants) {
                return Err(GraphError::Variant {
                    node: node.into(),
                    index: r.march_variant,
                    release: state(vm).release.name,
                    count: vec_len(variants),
                });
            }
            if r.march_variant == forced {
                return r.function.ok_or_else(|| GraphError::NoFunction { node: node.into() });
            }
            let priority = (*variants.add(r.march_variant as usize)).priority;
            if priority > best.0 {
                best = (priority, r.function);
            }
            at = r.next_registration;
        }
        best.1.ok_or_else(|| GraphError::NoFunction { node: node.into() })
    }
}
