//! The code of a plugin.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::LitStr;

use crate::item::ItemFn;
use crate::krate::Krate;
use crate::names;
use crate::signature::{call, output_spans};
use crate::wrap::{const_block, in_section};

use super::model::Plugin;

/// The function, and everything that VPP and the dynamic linker look for.
pub fn plugin(plugin: &Plugin) -> TokenStream {
    let Plugin { krate, description, default_disabled, overrides, releases, item } = plugin;
    let cfgs = item.cfgs();
    let init = init(krate, item);
    let init_name = names::init();
    let plugin = names::plugin();
    let in_section = in_section();
    let description = match description {
        Some(lit) => quote!(#lit),
        None => quote!(::core::env!("CARGO_PKG_DESCRIPTION")),
    };
    let narrowed = (!releases.is_empty()).then(|| quote!(.releases(&[#(#releases),*])));
    let known = releases.iter().map(|name| known_release(krate, name));
    let one_plugin = one_plugin(item.sig.ident.span());

    let hidden = const_block(quote! {
        #init

        static #plugin: #krate::__private::Plugin =
            #krate::__private::Plugin::new(::core::env!("CARGO_PKG_NAME"), #init_name)#narrowed;

        #(#known)*

        // VPP reads it from the file, before the plugin is loaded.
        #in_section
        #[used]
        #[unsafe(link_section = ".vlib_plugin_registration")]
        #[unsafe(export_name = "vlib_plugin_registration")]
        static __VPPKIT_REGISTRATION: #krate::__private::PluginRegistration =
            #krate::__private::PluginRegistration::new(
                ::core::env!("CARGO_PKG_VERSION"),
                #krate::__private::c_str!(#description),
                #default_disabled,
                #overrides,
            );

        #in_section
        #[unsafe(export_name = "vppkit_early_init")]
        extern "C" fn __vppkit_early_init(
            vm: *mut ::core::ffi::c_void,
            _info: *mut ::core::ffi::c_void,
        ) -> *mut ::core::ffi::c_void {
            #krate::__private::early_init(&#plugin, vm)
        }

        extern "C" fn __vppkit_load() {
            #krate::__private::load(&#plugin)
        }

        extern "C" fn __vppkit_unload() {
            #krate::__private::unload(&#plugin)
        }

        #in_section
        #[used]
        #[unsafe(link_section = ".init_array")]
        static __VPPKIT_LOAD: extern "C" fn() = __vppkit_load;

        #in_section
        #[used]
        #[unsafe(link_section = ".fini_array")]
        static __VPPKIT_UNLOAD: extern "C" fn() = __vppkit_unload;

        #[cfg(not(panic = "unwind"))]
        ::core::compile_error!(
            "vppkit contains a node's panic by unwinding: remove `panic = \"abort\"` from the profile"
        );
    });
    quote! {
        #item

        #(#cfgs)*
        #one_plugin

        #(#cfgs)*
        #hidden
    }
}

/// Calls the author's function. The call is spanned with the return type: there rustc reports a wrong one.
fn init(krate: &Krate, item: &ItemFn) -> TokenStream {
    let name = names::init();
    let hidden = Span::mixed_site();
    let call = call(&item.sig.ident, quote_spanned!(hidden=> vm), output_spans(&item.sig));
    quote_spanned! {hidden=>
        fn #name(vm: &mut #krate::MainBarrier<'_>) -> #krate::Result<()> {
            #call
        }
    }
}

/// Fails to compile if the runtime does not know the release. All of it is spanned with the name: there rustc reports it.
fn known_release(krate: &Krate, name: &LitStr) -> TokenStream {
    let located = |mut token: TokenTree| {
        token.set_span(token.span().located_at(name.span()));
        token
    };
    let krate: TokenStream = quote!(#krate).into_iter().map(located).collect();
    quote_spanned!(name.span()=> const _: () = #krate::__private::known_release(#name);)
}

/// An exported macro lives at the crate's root whatever module it is written in: a second plugin is a second macro of
/// the same name.
fn one_plugin(span: Span) -> TokenStream {
    let mut name = names::one_plugin();
    name.set_span(name.span().located_at(span));
    quote! {
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #name {
            () => {};
        }
    }
}
