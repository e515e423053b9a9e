//! `#[vlib_node]`: a function becomes a node of VPP's graph.

mod expand;
mod model;
mod parse;
mod signature;

use proc_macro2::TokenStream;

use crate::diagnostics::report;

/// Expands the attribute.
pub fn vlib_node(args: TokenStream, item: TokenStream) -> TokenStream {
    report(|dx| match parse::Written::parse(args, item.clone(), dx) {
        Ok(written) => {
            let fallback = expand::Fallback::of(&written);
            match model::Node::validate(written, dx) {
                Ok(node) if dx.is_empty() => expand::node(&node),
                _ => expand::fallback(fallback),
            }
        }
        // Not a function: the author's item as it is.
        Err(_) => item,
    })
}
