//! `#[derive(NodeErrors)]`: an enum names the error counters of a node.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::diagnostics::report;
use crate::input;

/// Expands the derive.
pub fn node_errors(input: TokenStream) -> TokenStream {
    report(|dx| {
        let Ok(input) = input::parse(input, dx) else { return TokenStream::new() };
        match parse::Written::parse(&input, dx).and_then(|written| model::NodeErrors::validate(written, dx)) {
            Ok(errors) if dx.is_empty() => expand::node_errors(&errors),
            _ => expand::fallback(&input),
        }
    })
}
