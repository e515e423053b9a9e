//! Attributes that `#[vlib_node]` reads from the function below it.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::args::this_attribute;
use crate::diagnostics::report;
use crate::item::{ItemFn, is_named};

/// Expands such an attribute where `#[vlib_node]` did not read it: that is a mistake. `does` says what it does to a node.
pub fn misplaced(attribute: &str, does: &str, args: TokenStream, item: TokenStream) -> TokenStream {
    report(|dx| {
        let Ok(mut function) = ItemFn::parse(attribute, item.clone(), dx) else { return item };
        let node = function.attrs.iter().position(|attr| is_named(attr, "vlib_node"));
        let at = this_attribute(&item);
        match node {
            Some(below) => {
                let found = format!("`{attribute}` is read by `#[vlib_node(..)]`, which must stand above it");
                dx.error(&at, found, "swap the two attributes");
                // Put it where it belongs, so that nothing else is wrong.
                let name = format_ident!("{attribute}");
                let this: syn::Attribute = syn::parse_quote!(#[#name(#args)]);
                function.attrs.insert(below + 1, this);
                function.into_token_stream()
            }
            None => {
                let found = format!("`{attribute}` {does}, but this function is no node");
                dx.error(&at, found, "write `#[vlib_node(name = \"my-node\")]` above it");
                quote!(#item)
            }
        }
    })
}
