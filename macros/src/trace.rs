//! `#[derive(Trace)]`: a struct becomes what a node leaves in a packet's trace.

mod expand;
mod format;
mod model;
mod parse;

use proc_macro2::TokenStream;

use crate::diagnostics::report;
use crate::input;

/// Expands the derive.
pub fn trace(input: TokenStream) -> TokenStream {
    report(|dx| {
        let Ok(input) = input::parse(input, dx) else { return TokenStream::new() };
        let Ok(written) = parse::Written::parse(&input, dx) else { return TokenStream::new() };
        match model::Trace::validate(written, dx) {
            Ok(trace) if dx.is_empty() => expand::trace(&trace),
            _ => expand::fallback(&input, parse::has_format(&input)),
        }
    })
}
