//! Clones of a node for instruction sets, and which of VPP's variants gets which.
//!
//! A variant's number indexes a table of VPP's that is another one in each release, and VPP does not check it. So a plugin
//! cannot bring variants of its own; it fills those that the running release has.

use vppkit_sys::release::Release;
use vppkit_sys::vlib::node::vlib_node_function_t;

use crate::__private::dispatch::{self, Call};
use crate::node::PacketNode;

/// A clone of the node `N`.
///
/// # Safety
/// `FEATURES` are all that `decide` is compiled with.
pub unsafe trait IsaClone<N: PacketNode> {
    /// VPP's name of the instruction set.
    const ISA: &'static str;
    /// rustc's names of its features, separated by commas.
    const FEATURES: &'static str;

    /// [`decide`](dispatch::decide), compiled for the instruction set.
    ///
    /// # Safety
    /// The processor has the features.
    unsafe fn decide(call: &mut Call) -> Option<u16>;
}

/// A clone, ready to be registered.
#[derive(Clone, Copy)]
pub struct NodeClone {
    isa: &'static str,
    features: &'static str,
    function: vlib_node_function_t,
}

impl NodeClone {
    /// The clone `C` of the node `N`.
    pub const fn of<N: PacketNode, C: IsaClone<N>>() -> Self {
        Self { isa: C::ISA, features: C::FEATURES, function: dispatch::packet_node_clone::<N, C> }
    }

    fn runs_here(&self) -> bool {
        self.features.split(',').all(detected)
    }
}

/// The clones that can serve a variant of VPP's, the best first.
///
/// 26.06 has two variants for x86-64, and takes a processor's word that it is of the fourth level for all of AVX-512; what
/// lies above it is asked of the processor here.
fn candidates(variant: &str) -> &'static [&'static str] {
    match variant {
        "x86_64_v4" => &["spr", "znver5", "znver4", "icl", "x86_64_v4", "skx"],
        "x86_64_v3" => &["adl", "znver3", "x86_64_v3", "hsw"],
        "hsw" => &["hsw", "x86_64_v3"],
        "trm" => &["trm"],
        "skx" => &["skx", "x86_64_v4"],
        "icl" => &["icl"],
        "adl" => &["adl"],
        "spr" => &["spr"],
        "znver3" => &["znver3"],
        "znver4" => &["znver4"],
        "znver5" => &["znver5"],
        _ => &[],
    }
}

/// The function for each variant of the release that one of the clones can serve: the variant's index, and the function.
pub(crate) fn variants(release: &Release, clones: &[NodeClone]) -> Vec<(u32, vlib_node_function_t)> {
    choose(release, clones, NodeClone::runs_here)
        .into_iter()
        .map(|(index, clone)| (index, clone.function))
        .collect()
}

fn choose<'a>(
    release: &Release,
    clones: &'a [NodeClone],
    runs_here: impl Fn(&NodeClone) -> bool,
) -> Vec<(u32, &'a NodeClone)> {
    let best = |variant: &str| {
        let wanted = |name: &&str| clones.iter().find(|clone| clone.isa == *name && runs_here(clone));
        candidates(variant).iter().find_map(wanted)
    };
    release.march_variants.iter().filter_map(|variant| Some((variant.index, best(variant.suffix)?))).collect()
}

/// Whether this processor has a feature, by rustc's name. `false` for a name that is not here.
fn detected(feature: &str) -> bool {
    macro_rules! detected {
        ($($name:tt)*) => { match feature { $( $name => std::is_x86_feature_detected!($name), )* _ => false } };
    }
    detected!(
        "adx" "aes" "avx" "avx2" "avx512bf16" "avx512bitalg" "avx512bw" "avx512cd" "avx512dq" "avx512f" "avx512ifma"
        "avx512vbmi" "avx512vbmi2" "avx512vl" "avx512vnni" "avx512vp2intersect" "avx512vpopcntdq" "avxvnni" "bmi1" "bmi2"
        "cmpxchg16b" "f16c" "fma" "gfni" "lzcnt" "movbe" "pclmulqdq" "popcnt" "rdrand" "rdseed" "sha" "sse3" "sse4.1"
        "sse4.2" "sse4a" "ssse3" "vaes" "vpclmulqdq" "xsave" "xsavec" "xsaveopt" "xsaves"
    )
}

#[cfg(test)]
mod tests {
    use vppkit_sys::release;

    use super::*;

    unsafe extern "C" fn function(
        _: *mut vppkit_sys::vlib::main::vlib_main_t,
        _: *mut vppkit_sys::vlib::node::vlib_node_runtime_t,
        _: *mut vppkit_sys::vlib::frame::vlib_frame_t,
    ) -> usize {
        0
    }

    /// The variants by name that a node with these clones has, on a processor that can run some of them.
    fn chosen(
        version: &str,
        clones: &[&'static str],
        runnable: &[&str],
    ) -> Vec<(&'static str, &'static str)> {
        let release = release::find(version).unwrap();
        let clones: Vec<_> = clones.iter().map(|isa| NodeClone { isa, features: "", function }).collect();
        let chosen = choose(release, &clones, |clone| runnable.contains(&clone.isa));
        let name =
            |index| release.march_variants.iter().find(|variant| variant.index == index).unwrap().suffix;
        chosen.into_iter().map(|(index, clone)| (name(index), clone.isa)).collect()
    }

    #[test]
    fn each_variant_gets_the_best_clone_that_the_processor_can_run() {
        let server = ["hsw", "x86_64_v3", "skx", "x86_64_v4", "icl", "spr"];
        let laptop = ["hsw", "x86_64_v3"];
        for (version, clones, runnable, expected) in [
            (
                "25.10",
                &["hsw", "skx", "icl"][..],
                &server[..],
                &[("hsw", "hsw"), ("skx", "skx"), ("icl", "icl")][..],
            ),
            ("26.06", &["hsw", "skx", "icl"], &server, &[("x86_64_v3", "hsw"), ("x86_64_v4", "icl")]),
            ("26.06", &["icl", "skx"], &["hsw", "skx"], &[("x86_64_v4", "skx")]),
            (
                "26.06",
                &["spr", "icl", "x86_64_v3"],
                &server,
                &[("x86_64_v3", "x86_64_v3"), ("x86_64_v4", "spr")],
            ),
            ("26.02", &["x86_64_v3", "x86_64_v4"], &server, &[("hsw", "x86_64_v3"), ("skx", "x86_64_v4")]),
            ("26.02", &["x86_64_v3", "x86_64_v4"], &laptop, &[("hsw", "x86_64_v3")]),
            ("26.06", &["icl", "skx"], &laptop, &[]),
            ("26.06", &[], &server, &[]),
        ] {
            assert_eq!(chosen(version, clones, runnable), expected, "{version} {clones:?} on {runnable:?}");
        }
    }

    #[test]
    fn what_every_processor_has_is_detected_and_what_none_has_is_not() {
        assert!(detected("cmpxchg16b"));
        assert!(!detected("quantum"));
    }
}
