//! The code of error counters.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::enums::number;
use crate::input::Fallback;
use crate::wrap::derived;

use super::model::{Counter, NodeErrors, Severity};

/// `impl NodeErrors`
pub fn node_errors(errors: &NodeErrors) -> TokenStream {
    let NodeErrors { krate, ident, counters } = errors;
    let code = number(counters.iter().map(|counter| &counter.variant));
    let derived = derived();
    let counters = counters.iter().map(|counter| {
        let Counter { variant: _, name, description, severity } = counter;
        let severity = match severity {
            Severity::Info => quote!(Info),
            Severity::Warn => quote!(Warn),
            Severity::Error => quote!(Error),
        };
        quote!(#krate::ErrorCounter::new(#name, #description, #krate::Severity::#severity))
    });
    quote! {
        #derived
        impl #krate::NodeErrors for #ident {
            const COUNTERS: &'static [#krate::ErrorCounter] = &[#(#counters),*];

            #[inline(always)]
            fn code(self) -> ::core::primitive::u16 {
                #code
            }
        }
    }
}

/// An `impl` that says nothing, so that an enum with errors gives no others where it is used.
pub fn fallback(input: &DeriveInput) -> TokenStream {
    let Some(Fallback { krate, ident }) = Fallback::of(input) else { return TokenStream::new() };
    quote! {
        impl #krate::NodeErrors for #ident {
            const COUNTERS: &'static [#krate::ErrorCounter] = &[];
            fn code(self) -> ::core::primitive::u16 { 0 }
        }
    }
}
