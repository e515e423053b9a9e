//! What was written on the enum and its variants.

use proc_macro2::Ident;
use syn::{Attribute, DeriveInput, LitStr, Variant};

use crate::args::one_literal;
use crate::diagnostics::{Checked, Diagnostics};
use crate::enums;
use crate::input;
use crate::krate::Krate;

const ATTRIBUTE: &str = "next_node";
const EXAMPLE: &str = "\"ip4-lookup\"";

/// The enum.
pub struct Written {
    pub krate: Checked<Krate>,
    pub ident: Ident,
    pub variants: Vec<WrittenVariant>,
}

/// A variant, and the string in its `#[next_node(..)]`.
pub struct WrittenVariant {
    pub ident: Ident,
    pub shape: Checked<()>,
    pub node: Checked<LitStr>,
}

impl Written {
    /// Reads all of it.
    pub fn parse(input: &DeriveInput, dx: &mut Diagnostics) -> Checked<Self> {
        let krate = Krate::of_derive(&input.attrs, dx);
        input::nothing_on(&input.attrs, ATTRIBUTE, "the enum", "write it on each variant", dx);
        let variants = enums::variants(input, "NextNodes", "next", dx)?;
        let variants = variants.iter().map(|variant| WrittenVariant::parse(variant, dx)).collect();
        Ok(Self { krate, ident: input.ident.clone(), variants })
    }
}

impl WrittenVariant {
    fn parse(variant: &Variant, dx: &mut Diagnostics) -> Self {
        let ident = variant.ident.clone();
        let shape = enums::unit(variant, dx);
        let mut attrs = variant.attrs.iter().filter(|attr| attr.path().is_ident(ATTRIBUTE));
        let node = match attrs.next() {
            Some(attr) => one_literal(attr, ATTRIBUTE, EXAMPLE, dx),
            None => Err(dx.error(
                &ident,
                format!("the variant `{ident}` does not say which node it is"),
                format!("write `#[{ATTRIBUTE}({EXAMPLE})]` above it"),
            )),
        };
        let again: Vec<&Attribute> = attrs.collect();
        for attr in again {
            let found = format!("the variant `{ident}` is one node, found a second `{ATTRIBUTE}`");
            dx.error(attr, found, "write a variant for each node");
        }
        Self { ident, shape, node }
    }
}
