//! `#[vnet_feature]`: a node goes onto a feature arc. `#[vlib_node]` above it reads it.

mod model;
mod parse;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::args::this_attribute;
use crate::diagnostics::report;
use crate::item::{ItemFn, is_named};

pub use model::Feature;

/// The attribute's name.
pub const ATTRIBUTE: &str = "vnet_feature";

/// Expands the attribute where `#[vlib_node]` did not read it: that is a mistake.
pub fn vnet_feature(args: TokenStream, item: TokenStream) -> TokenStream {
    report(|dx| {
        let Ok(mut function) = ItemFn::parse(ATTRIBUTE, item.clone(), dx) else { return item };
        let node = function.attrs.iter().position(|attr| is_named(attr, "vlib_node"));
        let at = this_attribute(&item);
        match node {
            Some(below) => {
                dx.error(
                    &at,
                    "`vnet_feature` is read by `#[vlib_node(..)]`, which must stand above it",
                    "swap the two attributes",
                );
                // Put it where it belongs, so that nothing else is wrong.
                let this: syn::Attribute = syn::parse_quote!(#[vnet_feature(#args)]);
                function.attrs.insert(below + 1, this);
                function.into_token_stream()
            }
            None => {
                dx.error(
                    &at,
                    "`vnet_feature` puts a node onto a feature arc, but this function is no node",
                    "write `#[vlib_node(name = \"my-node\")]` above it",
                );
                quote!(#item)
            }
        }
    })
}
