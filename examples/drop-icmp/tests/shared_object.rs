//! What the built plugin asks of the machine that it is loaded on.

use std::collections::BTreeSet;
use std::path::Path;

use object::elf::{DT_NEEDED, FileHeader64};
use object::read::elf::{Dyn as _, FileHeader as _};
use object::{Endianness, Object as _, ObjectSection as _, ObjectSymbol as _};
use serde_json::Value;

fn plugin() -> Vec<u8> {
    let file = vppkit_host::built_plugin("drop_icmp").expect("cargo builds the plugin before its tests");
    std::fs::read(file).unwrap()
}

#[test]
fn it_needs_libc_and_libgcc_only() {
    let plugin = plugin();
    let elf = FileHeader64::<Endianness>::parse(&*plugin).unwrap();
    let endian = elf.endian().unwrap();
    let sections = elf.sections(endian, &*plugin).unwrap();
    let (entries, strings) = sections.dynamic(endian, &*plugin).unwrap().expect("a shared object has one");
    let strings = sections.strings(endian, &*plugin, strings).unwrap();
    let needed = entries.iter().filter(|entry| entry.tag(endian) == DT_NEEDED);
    let needed: Vec<_> = needed.map(|entry| entry.string(endian, strings).unwrap()).collect();
    assert!(needed.contains(&b"libc.so.6".as_slice()));
    for library in needed {
        let library = str::from_utf8(library).unwrap();
        // The dynamic linker is a part of libc; Rust asks it for thread-local variables.
        let known = ["libc.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"];
        assert!(known.contains(&library), "{library}");
    }
}

#[test]
fn what_it_uses_of_vpp_is_in_every_release() {
    let plugin = plugin();
    let file = object::File::parse(&*plugin).unwrap();
    // What the linker leaves open: libc and libgcc version their symbols, VPP does not.
    let elf = FileHeader64::<Endianness>::parse(&*plugin).unwrap();
    let endian = elf.endian().unwrap();
    let sections = elf.sections(endian, &*plugin).unwrap();
    let versions = sections.versions(endian, &*plugin).unwrap().expect("libc has versions");
    let linked = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_undefined() && !symbol.is_weak() && !symbol.name().unwrap().is_empty())
        .filter(|symbol| {
            let index = versions.version_index(endian, symbol.index());
            versions.version(index.into()).unwrap().is_none()
        })
        .map(|symbol| symbol.name().unwrap().to_owned());
    // What the constructor looks up.
    let section = file.section_by_name(".vppkit.imports").expect("vppkit lists what it looks up");
    let looked_up = section.data().unwrap().split(|&byte| byte == 0).filter(|name| !name.is_empty());
    let looked_up: Vec<_> = looked_up.map(|name| String::from_utf8(name.to_vec()).unwrap()).collect();
    assert!(looked_up.iter().any(|name| name == "vlib_global_main"), "{looked_up:?}");

    let used: BTreeSet<_> = linked.chain(looked_up).collect();
    for release in vppkit_host::Release::all() {
        let release = release.name();
        let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../sys/facts/{release}.json"));
        let facts: Value = serde_json::from_slice(&std::fs::read(facts).unwrap()).unwrap();
        for name in &used {
            assert!(facts["symbols"].get(name).is_some(), "VPP {release} does not export {name}");
        }
    }
}

#[test]
fn the_source_is_short_and_has_no_unsafe() {
    let source = include_str!("../src/lib.rs");
    assert!(!source.contains("unsafe"));
    assert!(source.lines().count() < 60, "{} lines", source.lines().count());
}
