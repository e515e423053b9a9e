//! `#[derive(NextNodes)]`: an enum names the nodes that a node sends packets to.

mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::diagnostics::report;
use crate::input;

/// Expands the derive.
pub fn next_nodes(input: TokenStream) -> TokenStream {
    report(|dx| {
        let Ok(input) = input::parse(input, dx) else { return TokenStream::new() };
        match parse::Written::parse(&input, dx).and_then(|written| model::NextNodes::validate(written, dx)) {
            Ok(next) if dx.is_empty() => expand::next_nodes(&next),
            _ => expand::fallback(&input),
        }
    })
}
