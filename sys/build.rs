//! Without the feature `bindgen` there is nothing to do: the mirror in `src/` is the ABI.
//!
//! With it, the headers of an installed VPP are found (`build/find.rs`), asked for the layout of everything that
//! this crate mirrors (`build/compare.rs`), and turned into `vppkit_sys::raw` (`build/generate.rs`). What the
//! headers say otherwise fails the build.

#[cfg(feature = "bindgen")]
#[path = "build"]
mod steps {
    pub mod compare;
    pub mod find;
    pub mod generate;
}

/// The mirror itself: it is what the headers are compared with.
#[cfg(feature = "bindgen")]
#[path = "src"]
#[allow(dead_code, non_camel_case_types, reason = "the build script reads the layouts and nothing else")]
mod mirror_of_vpp {
    pub mod constants;
    pub mod mirror;
    pub mod mirrored;
    pub mod release;
    pub mod vlib;
    pub mod vnet;
    pub mod vppinfra;
}
#[cfg(feature = "bindgen")]
use mirror_of_vpp::{constants, mirror, mirrored, release, vlib, vnet, vppinfra, vppinfra::uword};

#[cfg(not(feature = "bindgen"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "bindgen")]
fn main() {
    use steps::{compare, find, generate};

    let bindings =
        std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("vpp.rs");
    let x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");

    let outcome = find::Places::of_this_machine().find().map_err(|error| vec![error]).and_then(|headers| {
        let questions = compare::questions(&headers.version, x86_64).map_err(|error| vec![error])?;
        let answers = generate::generate(&headers, &questions, &bindings).map_err(|error| vec![error])?;
        let differences = compare::differences(&headers, &questions, &answers);
        if differences.is_empty() { Ok(()) } else { Err(differences) }
    });
    if let Err(errors) = outcome {
        for line in errors.iter().flat_map(|error| error.lines()) {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}
