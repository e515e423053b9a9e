//! A node that was understood and checked.

use syn::Type;

use crate::cstring::{CName, Kind};
use crate::diagnostics::{Checked, Diagnostics};
use crate::feature::Feature;
use crate::item::ItemFn;
use crate::krate::Krate;
use crate::multiarch::Clones;
use crate::names;

use super::parse::Written;
use super::signature;

/// A per-packet node.
pub struct Node {
    pub krate: Krate,
    pub name: CName,
    /// `None`: it has none.
    pub next: Option<Type>,
    pub errors: Option<Type>,
    pub trace: Option<Type>,
    /// The arcs that it is on, each once.
    pub features: Vec<Feature>,
    /// The instruction sets that it is compiled for, beside its own function.
    pub clones: Clones,
    pub item: ItemFn,
}

impl Node {
    /// Checks every part, and reports all that is wrong.
    pub fn validate(written: Written, dx: &mut Diagnostics) -> Checked<Self> {
        let expected = signature::per_packet(&written);
        let Written { krate, name, next, errors, trace, features, multiarch, item } = written;
        let name = name.and_then(|lit| CName::check(&lit, Kind::Node, dx));
        let signature = expected.check(&item.sig, dx);
        let reserved = names::not_reserved(&item.sig.ident, dx);
        let attributes = attributes(&item, dx);
        let features = Feature::all(&features, name.as_ref().ok(), dx);
        let clones = Clones::all(&multiarch, dx);
        signature?;
        reserved?;
        attributes?;
        Ok(Self {
            krate: krate?,
            name: name?,
            next: next?,
            errors: errors?,
            trace: trace?,
            features: features?,
            clones: clones?,
            item,
        })
    }
}

/// Refuses attributes that would take the function out of the loop that calls it.
fn attributes(item: &ItemFn, dx: &mut Diagnostics) -> Checked<()> {
    for attr in &item.attrs {
        if attr.path().is_ident("target_feature") {
            let found = "a node's function runs on every processor that VPP runs on";
            return Err(dx.error(attr, found, "remove `target_feature`"));
        }
    }
    Ok(())
}
