//! Errors of one macro call: collected, so that several mistakes are reported at once.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Proof that an error was reported. Only [`Diagnostics`] makes it, so no macro can fail in silence.
#[derive(Debug, Clone, Copy)]
pub struct Reported(());

/// What a check gives: a value, or the proof that it said why not.
pub type Checked<T> = Result<T, Reported>;

/// The errors of one macro call.
#[derive(Default)]
pub struct Diagnostics {
    errors: Vec<syn::Error>,
}

impl Diagnostics {
    /// Reports at the tokens of `at` what was found (and why VPP cannot have it), and what to write instead.
    pub fn error(&mut self, at: &dyn ToTokens, found: impl Display, write: impl Display) -> Reported {
        let tokens = at.to_token_stream();
        self.push(syn::Error::new_spanned(tokens, message(found, write)))
    }

    /// The same at a span: for what is missing, which has no token.
    pub fn error_at(&mut self, at: Span, found: impl Display, write: impl Display) -> Reported {
        self.push(syn::Error::new(at, message(found, write)))
    }

    fn push(&mut self, error: syn::Error) -> Reported {
        self.errors.push(error);
        Reported(())
    }

    /// Takes over the errors of a part, behind its own.
    pub fn append(&mut self, part: Diagnostics) {
        self.errors.extend(part.errors);
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// `compile_error!` for each error, in the order of reports.
    pub fn into_tokens(self) -> TokenStream {
        self.errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

fn message(found: impl Display, write: impl Display) -> String {
    format!("{found}\nhelp: {write}")
}

/// What a macro gives to rustc: its output, and the errors that it reported before it.
pub fn report(expand: impl FnOnce(&mut Diagnostics) -> TokenStream) -> TokenStream {
    let mut dx = Diagnostics::default();
    let output = expand(&mut dx);
    let mut tokens = dx.into_tokens();
    tokens.extend(output);
    tokens
}
