//! What was written on the struct.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Data, DataEnum, DataUnion, DeriveInput, Fields, LitStr};

use crate::args::{one_literal, text};
use crate::diagnostics::{Checked, Diagnostics};
use crate::enums::no_generics;
use crate::input;
use crate::krate::Krate;

const ATTRIBUTE: &str = "trace";
const EXAMPLE: &str = "\"{source} -> {destination}\"";

/// The struct.
pub struct Written {
    pub krate: Checked<Krate>,
    pub ident: Ident,
    pub fields: Fields,
    pub format: Checked<Option<LitStr>>,
}

/// Whether the macro is to write `Display`.
pub fn has_format(input: &DeriveInput) -> bool {
    input.attrs.iter().any(|attr| attr.path().is_ident(ATTRIBUTE))
}

impl Written {
    /// Reads all of it.
    pub fn parse(input: &DeriveInput, dx: &mut Diagnostics) -> Checked<Self> {
        let krate = Krate::of_derive(&input.attrs, dx);
        let format = format(input, dx);
        let fields = fields(input, dx);
        lifetimes(input, dx)?;
        Ok(Self { krate, ident: input.ident.clone(), fields: fields?, format })
    }
}

fn format(input: &DeriveInput, dx: &mut Diagnostics) -> Checked<Option<LitStr>> {
    let mut format = Ok(None);
    let mut first = true;
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident(ATTRIBUTE)) {
        if !first {
            format = Err(dx.error(attr, "`trace` is given twice", "remove one of the two"));
            continue;
        }
        first = false;
        format = one_literal(attr, ATTRIBUTE, EXAMPLE, dx).map(Some);
    }
    format
}

fn fields(input: &DeriveInput, dx: &mut Diagnostics) -> Checked<Fields> {
    let name = &input.ident;
    let (token, what): (&dyn ToTokens, _) = match &input.data {
        Data::Struct(data) if data.fields.is_empty() => {
            return Err(dx.error(
                name,
                format!("`{name}` holds nothing that a trace could print"),
                "write a field, or remove the struct and leave `trace` out of `#[vlib_node(..)]`",
            ));
        }
        Data::Struct(data) => {
            for field in &data.fields {
                input::nothing_on(&field.attrs, ATTRIBUTE, "a field", "write it on the struct", dx);
            }
            return Ok(data.fields.clone());
        }
        Data::Enum(DataEnum { enum_token, .. }) => (enum_token, "an enum"),
        Data::Union(DataUnion { union_token, .. }) => (union_token, "a union"),
    };
    Err(dx.error(
        token,
        format!("`Trace` is for a struct, found {what}"),
        format!("write `struct {name} {{ .. }}`"),
    ))
}

/// Lifetimes have an explanation of their own: the packet is gone when a trace is printed.
fn lifetimes(input: &DeriveInput, dx: &mut Diagnostics) -> Checked<()> {
    match input.generics.lifetimes().next() {
        Some(lifetime) => {
            let found =
                format!("a trace record outlives the packet, so it cannot borrow (`{}`)", text(lifetime));
            Err(dx.error(lifetime, found, "copy what is to be printed into the record"))
        }
        None => no_generics(input, "Trace", dx),
    }
}
