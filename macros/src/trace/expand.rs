//! The code of a trace record.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Ident, Member};

use crate::input::Fallback;
use crate::names;
use crate::wrap::{const_block, derived};

use super::model::{Display, Trace};

/// `impl Trace`, `impl Display` if there is a format, and the check of the fields.
pub fn trace(trace: &Trace) -> TokenStream {
    let Trace { krate, ident, types, display } = trace;
    let derived = derived();
    let display = display.as_ref().map(|format| self::display(ident, format));
    let (holds, fields) = (names::holds(), names::fields());
    const_block(quote! {
        #derived
        impl #krate::Trace for #ident {}

        #display

        // Never called: rustc says at a field's type that a record cannot hold it.
        #[allow(dead_code)]
        fn #fields() {
            fn #holds<T: #krate::TraceField>() {}
            #(#holds::<#types>();)*
        }
    })
}

fn display(ident: &Ident, display: &Display) -> TokenStream {
    let Display { format, fields } = display;
    let fields = fields.iter().map(|(member, local)| match member {
        Member::Named(_) => quote!(#local),
        Member::Unnamed(index) => quote!(#index: #local),
    });
    let derived = derived();
    // The format sees the author's field names, and nothing else.
    let f = Ident::new("f", Span::mixed_site());
    quote_spanned! {Span::mixed_site()=>
        #derived
        impl ::core::fmt::Display for #ident {
            fn fmt(&self, #f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let Self { #(#fields,)* .. } = self;
                ::core::write!(#f, #format)
            }
        }
    }
}

/// `impl`s that say nothing, so that a struct with errors gives no others where it is used.
pub fn fallback(input: &DeriveInput, has_format: bool) -> TokenStream {
    let Some(Fallback { krate, ident }) = Fallback::of(input) else { return TokenStream::new() };
    let display = has_format.then(|| {
        quote! {
            impl ::core::fmt::Display for #ident {
                fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::result::Result::Ok(())
                }
            }
        }
    });
    quote! {
        impl #krate::Trace for #ident {}
        #display
    }
}
