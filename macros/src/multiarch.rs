//! `#[multiarch]`: a node is compiled once more for each of these instruction sets. `#[vlib_node]` above it reads it.

pub mod isa;
mod model;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::args::this_attribute;
use crate::diagnostics::report;
use crate::item::{ItemFn, is_named};

pub use model::Clones;

/// The attribute's name.
pub const ATTRIBUTE: &str = "multiarch";

/// Expands the attribute where `#[vlib_node]` did not read it: that is a mistake.
pub fn multiarch(args: TokenStream, item: TokenStream) -> TokenStream {
    report(|dx| {
        let Ok(mut function) = ItemFn::parse(ATTRIBUTE, item.clone(), dx) else { return item };
        let node = function.attrs.iter().position(|attr| is_named(attr, "vlib_node"));
        let at = this_attribute(&item);
        match node {
            Some(below) => {
                dx.error(
                    &at,
                    "`multiarch` is read by `#[vlib_node(..)]`, which must stand above it",
                    "swap the two attributes",
                );
                let this: syn::Attribute = syn::parse_quote!(#[multiarch(#args)]);
                function.attrs.insert(below + 1, this);
                function.into_token_stream()
            }
            None => {
                dx.error(
                    &at,
                    "`multiarch` makes clones of a node, but this function is no node",
                    "write `#[vlib_node(name = \"my-node\")]` above it",
                );
                quote!(#item)
            }
        }
    })
}
