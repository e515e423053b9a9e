//! Every symbol that a plugin looks up is exported by every supported release.

mod facts;

use std::collections::BTreeSet;

use facts::Facts;
use vppkit_sys::release::known;
use vppkit_sys::symbols::{NAMES, VERSION_SYMBOL};

#[test]
fn every_symbol_is_exported_by_every_release() {
    let mut missing = Vec::new();
    for release in known() {
        let facts = Facts::of(release);
        for symbol in NAMES.iter().copied().chain([VERSION_SYMBOL]) {
            let symbol = symbol.to_str().unwrap();
            if facts.exporters(symbol).is_empty() {
                missing.push(format!("VPP {} does not export {symbol}", release.name));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Plugins belong to a VPP that has these loaded; nothing else may be asked for.
#[test]
fn every_symbol_comes_from_a_library_that_every_vpp_loads() {
    for release in known() {
        let facts = Facts::of(release);
        for symbol in NAMES.iter().copied().chain([VERSION_SYMBOL]) {
            let exporters = facts.exporters(symbol.to_str().unwrap());
            assert!(
                exporters
                    .iter()
                    .any(|library| ["libvppinfra", "libvlib", "libvnet", "vpp"].contains(library)),
                "VPP {}: {symbol:?} comes from {exporters:?}",
                release.name
            );
        }
    }
}

#[test]
fn no_symbol_is_named_twice() {
    let names: BTreeSet<_> = NAMES.iter().copied().chain([VERSION_SYMBOL]).collect();
    assert_eq!(names.len(), NAMES.len() + 1);
}
