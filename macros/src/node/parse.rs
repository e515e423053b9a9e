//! What was written on a node: arguments with their spans, not yet judged.

use proc_macro2::TokenStream;
use syn::{Attribute, LitStr, Type};

use crate::args::{Args, Grammar, Key, this_attribute};
use crate::diagnostics::{Checked, Diagnostics};
use crate::feature;
use crate::item::ItemFn;
use crate::krate::{self, Krate};
use crate::multiarch;

const GRAMMAR: Grammar = Grammar {
    attribute: "vlib_node",
    keys: &[
        Key { name: "name", example: "name = \"my-node\"" },
        Key { name: "next", example: "next = Next" },
        Key { name: "errors", example: "errors = Error" },
        Key { name: "trace", example: "trace = Seen" },
        krate::KEY,
    ],
};

/// `#[vlib_node(..)]`, the `#[vnet_feature(..)]`s and the `#[multiarch(..)]` below it, and the function.
pub struct Written {
    pub krate: Checked<Krate>,
    pub name: Checked<LitStr>,
    pub next: Checked<Option<Type>>,
    pub errors: Checked<Option<Type>>,
    pub trace: Checked<Option<Type>>,
    pub features: Vec<Attribute>,
    pub multiarch: Vec<Attribute>,
    pub item: ItemFn,
}

impl Written {
    /// Reads all of it. Fails only if there is no function; the arguments are read all the same.
    pub fn parse(args: TokenStream, item: TokenStream, dx: &mut Diagnostics) -> Checked<Self> {
        let mut args = Args::parse(&GRAMMAR, this_attribute(&item), args, dx);
        let krate = Krate::pop(&mut args, dx);
        let name = args.required_string("name", dx);
        let next = args.ty("next", dx);
        let errors = args.ty("errors", dx);
        let trace = args.ty("trace", dx);
        args.finish(dx);
        let mut item = ItemFn::parse(GRAMMAR.attribute, item, dx)?;
        let features = item.take_attrs(feature::ATTRIBUTE);
        let multiarch = item.take_attrs(multiarch::ATTRIBUTE);
        Ok(Self { krate, name, next, errors, trace, features, multiarch, item })
    }
}
