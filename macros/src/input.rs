//! The input of a derive.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, DeriveInput};

use crate::diagnostics::{Checked, Diagnostics};
use crate::krate::Krate;

/// Reads it. rustc has parsed it before, so this fails on nothing that a compiler hands over.
pub fn parse(tokens: TokenStream, dx: &mut Diagnostics) -> Checked<DeriveInput> {
    syn::parse2(tokens)
        .map_err(|error| dx.error_at(error.span(), &error, "write the derive on a struct or an enum"))
}

/// Refuses a helper attribute where it means nothing.
pub fn nothing_on(attrs: &[Attribute], name: &str, place: &str, write: &str, dx: &mut Diagnostics) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        dx.error(attr, format!("`{name}` means nothing on {place}"), write);
    }
}

/// What a derive with errors still needs for an `impl`.
pub struct Fallback<'a> {
    pub krate: Krate,
    pub ident: &'a Ident,
}

impl<'a> Fallback<'a> {
    /// `None` for a type with parameters: each of its uses is wrong anyway.
    pub fn of(input: &'a DeriveInput) -> Option<Self> {
        let plain = input.generics.params.is_empty() && input.generics.where_clause.is_none();
        // Errors in there were reported when the input was read.
        let krate = Krate::of_derive(&input.attrs, &mut Diagnostics::default()).unwrap_or_default();
        plain.then_some(Self { krate, ident: &input.ident })
    }
}
