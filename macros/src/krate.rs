//! The path by which an expansion finds the runtime crate.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Path};

use crate::args::{Args, Grammar, Key};
use crate::diagnostics::{Checked, Diagnostics};

/// The runtime crate: `::vppkit`, or what `crate = path` says.
#[derive(Clone, Default)]
pub struct Krate(Option<Path>);

const DERIVE: Grammar =
    Grammar { attribute: "vppkit", keys: &[Key { name: "crate", example: "crate = path::to::vppkit" }] };

/// How the argument is written in every attribute.
pub const KEY: Key = Key { name: "crate", example: "crate = path::to::vppkit" };

impl Krate {
    /// Takes `crate = path` from an attribute's arguments.
    pub fn pop(args: &mut Args, dx: &mut Diagnostics) -> Checked<Self> {
        args.path(KEY.name, dx).map(Self)
    }

    /// Reads `#[vppkit(crate = path)]` beside a derive.
    pub fn of_derive(attrs: &[Attribute], dx: &mut Diagnostics) -> Checked<Self> {
        let mut found = Ok(Self::default());
        let mut first = true;
        for attr in attrs.iter().filter(|attr| attr.path().is_ident(DERIVE.attribute)) {
            if !first {
                found = Err(dx.error(attr, "`vppkit` is given twice", "remove one of the two"));
                continue;
            }
            first = false;
            let mut args = Args::of_attribute(&DERIVE, attr, dx);
            found = Self::pop(&mut args, dx);
            args.finish(dx);
        }
        found
    }
}

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match &self.0 {
            Some(path) => path.to_tokens(tokens),
            None => {
                let vppkit = Ident::new("vppkit", Span::call_site());
                tokens.extend(quote!(::#vppkit));
            }
        }
    }
}
