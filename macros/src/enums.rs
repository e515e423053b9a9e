//! What derives on an enum of unit variants share.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Data, DataEnum, DataStruct, DataUnion, DeriveInput, Fields, Token, Variant};

use crate::args::text;
use crate::diagnostics::{Checked, Diagnostics};

/// The variants of an enum without generics, or an error that says why it is none. `derive` is the macro's name;
/// `left_out` is the argument of `#[vlib_node]` that an empty enum makes superfluous.
pub fn variants<'a>(
    input: &'a DeriveInput,
    derive: &str,
    left_out: &str,
    dx: &mut Diagnostics,
) -> Checked<&'a Punctuated<Variant, Token![,]>> {
    let name = &input.ident;
    let generics = no_generics(input, derive, dx);
    let (token, what): (&dyn ToTokens, _) = match &input.data {
        Data::Enum(DataEnum { variants, .. }) if variants.is_empty() => {
            return Err(dx.error(
                name,
                format!("`{name}` has no variants"),
                format!(
                    "write a variant, or remove the enum and leave `{left_out}` out of `#[vlib_node(..)]`"
                ),
            ));
        }
        Data::Enum(DataEnum { variants, .. }) => {
            generics?;
            return Ok(variants);
        }
        Data::Struct(DataStruct { struct_token, .. }) => (struct_token, "a struct"),
        Data::Union(DataUnion { union_token, .. }) => (union_token, "a union"),
    };
    Err(dx.error(
        token,
        format!("`{derive}` is for an enum, found {what}"),
        format!("write `enum {name} {{ .. }}`"),
    ))
}

/// Refuses generics: VPP knows one table for each node.
pub fn no_generics(input: &DeriveInput, derive: &str, dx: &mut Diagnostics) -> Checked<()> {
    if input.generics.params.is_empty() && input.generics.where_clause.is_none() {
        return Ok(());
    }
    let generics = &input.generics;
    let at: &dyn ToTokens = if generics.params.is_empty() { &generics.where_clause } else { generics };
    let found = format!("`{derive}` is for a type without parameters, found `{}`", text(at));
    Err(dx.error(at, found, format!("remove `{}`", text(at))))
}

/// Refuses a payload or a number.
pub fn unit(variant: &Variant, dx: &mut Diagnostics) -> Checked<()> {
    let Variant { attrs: _, ident, fields, discriminant } = variant;
    let mut result = Ok(());
    if !matches!(fields, Fields::Unit) {
        let found = format!("VPP counts in numbers: the variant `{ident}` cannot hold anything");
        result = Err(dx.error(fields, found, format!("write `{ident}`")));
    }
    if let Some((equals, number)) = discriminant {
        let found =
            format!("the variants are numbered in order, by the macro: `{ident}` cannot have a number");
        result = Err(dx.error(&quote!(#equals #number), found, format!("write `{ident}`")));
    }
    result
}

/// `match self { Self::A => 0, .. }`
pub fn number<'a>(variants: impl Iterator<Item = &'a Ident>) -> TokenStream {
    let arms = variants.enumerate().map(|(i, ident)| {
        let i = proc_macro2::Literal::usize_unsuffixed(i);
        quote!(Self::#ident => #i)
    });
    quote!(match self { #(#arms,)* })
}
