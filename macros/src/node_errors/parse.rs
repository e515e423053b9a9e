//! What was written on the enum and its variants.

use proc_macro2::Ident;
use syn::{Attribute, DeriveInput, Expr, ExprLit, Lit, LitStr, Meta, Variant};

use crate::args::{Args, Grammar, Key};
use crate::diagnostics::{Checked, Diagnostics};
use crate::enums;
use crate::input;
use crate::krate::Krate;

const GRAMMAR: Grammar = Grammar {
    attribute: "error",
    keys: &[
        Key { name: "name", example: "name = \"short\"" },
        Key { name: "severity", example: "severity = info" },
    ],
};

/// The enum.
pub struct Written {
    pub krate: Checked<Krate>,
    pub ident: Ident,
    pub variants: Vec<WrittenVariant>,
}

/// A variant, its doc comment and its `#[error(..)]`.
pub struct WrittenVariant {
    pub ident: Ident,
    pub shape: Checked<()>,
    pub doc: Checked<Vec<LitStr>>,
    pub severity: Checked<Option<Ident>>,
    pub name: Checked<Option<LitStr>>,
}

impl Written {
    /// Reads all of it.
    pub fn parse(input: &DeriveInput, dx: &mut Diagnostics) -> Checked<Self> {
        let krate = Krate::of_derive(&input.attrs, dx);
        input::nothing_on(&input.attrs, GRAMMAR.attribute, "the enum", "write it on a variant", dx);
        let variants = enums::variants(input, "NodeErrors", "errors", dx)?;
        let variants = variants.iter().map(|variant| WrittenVariant::parse(variant, dx)).collect();
        Ok(Self { krate, ident: input.ident.clone(), variants })
    }
}

impl WrittenVariant {
    fn parse(variant: &Variant, dx: &mut Diagnostics) -> Self {
        let ident = variant.ident.clone();
        let shape = enums::unit(variant, dx);
        let doc = doc(&variant.attrs, dx);
        let (mut severity, mut name) = (Ok(None), Ok(None));
        let mut first = true;
        for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident(GRAMMAR.attribute)) {
            if !first {
                severity = Err(dx.error(attr, "`error` is given twice", "join the two attributes into one"));
                continue;
            }
            first = false;
            let mut args = Args::of_attribute(&GRAMMAR, attr, dx);
            severity = args.word("severity", dx);
            name = args.string("name", dx);
            args.finish(dx);
        }
        Self { ident, shape, doc, severity, name }
    }
}

/// The lines of the doc comment.
fn doc(attrs: &[Attribute], dx: &mut Diagnostics) -> Checked<Vec<LitStr>> {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        // `#[doc(hidden)]` and the like are no text.
        let Meta::NameValue(meta) = &attr.meta else { continue };
        match literal(&meta.value) {
            Some(line) => lines.push(line.clone()),
            None => {
                let found = "the description is in the binary as it is, so it cannot be computed";
                return Err(dx.error(&meta.value, found, "write a `///` line"));
            }
        }
    }
    Ok(lines)
}

fn literal(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(lit), .. }) => Some(lit),
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}
