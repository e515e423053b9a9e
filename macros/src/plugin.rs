//! `#[vlib_plugin]`: a crate becomes a plugin that VPP loads.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::diagnostics::report;

/// Expands the attribute.
pub fn vlib_plugin(args: TokenStream, item: TokenStream) -> TokenStream {
    report(|dx| match parse::Written::parse(args, item.clone(), dx) {
        Ok(written) => {
            let function = written.item.clone();
            match model::Plugin::validate(written, dx) {
                Ok(plugin) if dx.is_empty() => expand::plugin(&plugin),
                _ => function.without_async().into_token_stream(),
            }
        }
        // Not a function: the author's item as it is.
        Err(_) => item,
    })
}
