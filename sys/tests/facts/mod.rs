//! The recorded facts of one release, `facts/RELEASE.json`. A fact that is not there fails the test.
#![allow(dead_code, reason = "each test uses its part")]

use std::fs;
use std::path::Path;

use serde_json::Value;
use vppkit_sys::release::Release;

pub struct Facts {
    release: &'static str,
    json: Value,
}

/// Offset and size of a field, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub offset: usize,
    pub size: usize,
}

impl Facts {
    pub fn of(release: &Release) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("facts/{}.json", release.name));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("VPP {} has no facts; see facts/README.md. {}: {error}", release.name, path.display())
        });
        let json: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(json["vpp"], release.name, "{} is of another release", path.display());
        Self { release: release.name, json }
    }

    pub fn record_size(&self, record: &str) -> usize {
        self.number(&["records", record, "size"])
    }

    pub fn record_align(&self, record: &str) -> usize {
        self.number(&["records", record, "align"])
    }

    pub fn field(&self, record: &str, field: &str) -> Layout {
        Layout {
            offset: self.number(&["records", record, "fields", field, "offset"]),
            size: self.number(&["records", record, "fields", field, "size"]),
        }
    }

    /// The offset of a field that a release may lack.
    pub fn offset_if_any(&self, record: &str, field: &str) -> Option<usize> {
        let fact = &self.get(&["records", record, "fields"])[field];
        (!fact.is_null()).then(|| self.field(record, field).offset)
    }

    pub fn constant(&self, name: &str) -> i64 {
        self.get(&["constants", name]).as_i64().expect("constants are numbers")
    }

    /// Every enumerator of `clib_march_variant_type_t` and its value.
    pub fn march_variants(&self) -> Vec<(String, i64)> {
        let variants = self.get(&["march_variants"]).as_object().expect("march variants are an object");
        variants.iter().map(|(name, value)| (name.clone(), value.as_i64().expect("a number"))).collect()
    }

    /// The libraries that export a symbol.
    pub fn exporters(&self, symbol: &str) -> Vec<&str> {
        let libraries = self.json["symbols"][symbol].as_array();
        libraries.into_iter().flatten().map(|library| library.as_str().expect("a name")).collect()
    }

    fn number(&self, path: &[&str]) -> usize {
        let number = self
            .get(path)
            .as_u64()
            .unwrap_or_else(|| panic!("{}: {} is no number", self.release, path.join(".")));
        number as usize
    }

    fn get(&self, path: &[&str]) -> &Value {
        let found = path.iter().fold(&self.json, |value, key| &value[*key]);
        assert!(!found.is_null(), "the facts of VPP {} lack {}", self.release, path.join("."));
        found
    }
}

/// Every difference at once, one a line.
#[derive(Default)]
pub struct Differences(Vec<String>);

impl Differences {
    pub fn expect<T: PartialEq + std::fmt::Debug>(&mut self, what: impl std::fmt::Display, ours: T, fact: T) {
        if ours != fact {
            self.0.push(format!("{what}: sys says {ours:?}, the facts say {fact:?}"));
        }
    }

    pub fn assert_none(&self) {
        assert!(self.0.is_empty(), "{} differences:\n{}", self.0.len(), self.0.join("\n"));
    }
}
