//! The code of next nodes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::enums::number;
use crate::input::Fallback;
use crate::wrap::derived;

use super::model::NextNodes;

/// `impl NextNodes`
pub fn next_nodes(next: &NextNodes) -> TokenStream {
    let NextNodes { krate, ident, nodes } = next;
    let names = nodes.iter().map(|node| &node.name);
    let index = number(nodes.iter().map(|node| &node.variant));
    let derived = derived();
    quote! {
        #derived
        impl #krate::NextNodes for #ident {
            const NAMES: &'static [&'static ::core::ffi::CStr] = &[#(#names),*];

            #[inline(always)]
            fn index(self) -> ::core::primitive::u16 {
                #index
            }
        }
    }
}

/// An `impl` that says nothing, so that an enum with errors gives no others where it is used.
pub fn fallback(input: &DeriveInput) -> TokenStream {
    let Some(Fallback { krate, ident }) = Fallback::of(input) else { return TokenStream::new() };
    quote! {
        impl #krate::NextNodes for #ident {
            const NAMES: &'static [&'static ::core::ffi::CStr] = &[];
            fn index(self) -> ::core::primitive::u16 { 0 }
        }
    }
}
