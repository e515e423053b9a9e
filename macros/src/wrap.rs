//! What is around generated code.

use proc_macro2::TokenStream;
use quote::quote;

/// Hides items from the author's module.
pub fn const_block(items: TokenStream) -> TokenStream {
    quote! {
        const _: () = {
            #items
        };
    }
}

/// Tells lints that no one wrote the `impl` that follows.
pub fn derived() -> TokenStream {
    quote!(#[automatically_derived])
}

/// For a static in a section of its own: `unsafe_code` counts the section as unsafe, and the author may deny it.
pub fn in_section() -> TokenStream {
    quote!(#[allow(unsafe_code)])
}
