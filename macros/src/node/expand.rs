//! The code of a node.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::feature::Feature;
use crate::item::ItemFn;
use crate::krate::Krate;
use crate::multiarch::Clones;
use crate::names;
use crate::signature::{call, output_spans};
use crate::wrap::{const_block, derived, in_section};

use super::model::Node;
use super::parse::Written;

/// The function, the node's type, what it is, and its registrations.
pub fn node(node: &Node) -> TokenStream {
    let Node { krate, name, next, errors, trace, features, clones, item } = node;
    let function = &item.sig.ident;
    let cfgs = item.cfgs();
    let inline = inline(item);
    let ty = node_type(item, &format!(" The node `{}`.", name.text()));
    let is_node = is_node(krate, function, &quote!(#name), [next, errors, trace], !features.is_empty());
    let process = process(krate, item);
    let values = values(krate, function, [next, errors, trace]);
    let derived = derived();
    let in_section = in_section();
    let node = names::node();
    let with_clones = with_clones(krate, function, clones);
    let clones = clones.x86_64().map(|clone| isa_clone(krate, function, clone));
    let features = features.iter().enumerate().map(|(i, feature)| registration(krate, function, i, feature));

    // What the descriptor asserts is about the trace record, so the call begins and ends there.
    let at = trace.as_ref().map_or_else(Span::call_site, Spanned::span);
    let descriptor = quote_spanned!(at=> <#krate::__private::NodeDescriptor>::packet::<#function>());

    let hidden = const_block(quote! {
        #is_node

        #values

        #derived
        impl #krate::PacketNode for #function {
            #process
        }

        #(#clones)*

        #in_section
        #[#krate::__private::linkme::distributed_slice(#krate::__private::VPPKIT_NODES)]
        #[linkme(crate = #krate::__private::linkme)]
        static #node: #krate::__private::NodeDescriptor = #descriptor #with_clones;

        #(#features)*
    });
    quote! {
        #inline
        #item

        #ty

        #(#cfgs)*
        #hidden
    }
}

/// The function is part of the dispatch loop, unless the author says otherwise.
fn inline(item: &ItemFn) -> Option<TokenStream> {
    let chosen = item.attrs.iter().any(|attr| attr.path().is_ident("inline"));
    (!chosen).then(|| {
        quote! {
            #[allow(clippy::inline_always)]
            #[inline(always)]
        }
    })
}

fn node_type(item: &ItemFn, doc: &str) -> TokenStream {
    let ItemFn { attrs: _, vis, sig, body: _ } = item;
    let cfgs = item.cfgs();
    let function = &sig.ident;
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[allow(non_camel_case_types)]
        #vis enum #function {}
    }
}

fn is_node(
    krate: &Krate,
    function: &Ident,
    name: &TokenStream,
    [next, errors, trace]: [&Option<Type>; 3],
    on_arc: bool,
) -> TokenStream {
    let or = |ty: &Option<Type>, none: TokenStream| ty.as_ref().map_or(none, |ty| quote!(#ty));
    let next = or(next, quote!(#krate::NoNext));
    let errors = or(errors, quote!(#krate::NoErrors));
    let trace = or(trace, quote!(#krate::NoTrace));
    let arc = if on_arc { quote!(#krate::OnArc) } else { quote!(#krate::NoArc) };
    let derived = derived();
    quote! {
        #derived
        impl #krate::Node for #function {
            const NAME: &'static ::core::ffi::CStr = #name;
            type Next = #next;
            type Errors = #errors;
            type Trace = #trace;
            type Placement = #arc;
        }
    }
}

/// What the function may return beside a `Verdict`, count and trace. Written out for each node: so rustc can say what it
/// looked for.
fn values(krate: &Krate, function: &Ident, [next, errors, trace]: [&Option<Type>; 3]) -> TokenStream {
    let derived = derived();
    let next = next.as_ref().map(|next| {
        quote! {
            #derived
            impl #krate::IntoVerdict<#function> for #next {
                #[inline(always)]
                fn into_verdict(self) -> #krate::Verdict<#function> {
                    #krate::Verdict::Next(self)
                }
            }
        }
    });
    let errors = errors.as_ref().map(|errors| {
        quote! {
            #derived
            impl #krate::IntoDrop<#function> for #errors {
                #[inline(always)]
                fn into_drop(self) -> Self {
                    self
                }
            }
        }
    });
    let trace = trace.as_ref().map(|trace| {
        quote! {
            #derived
            impl #krate::IntoTrace<#function> for #trace {
                #[inline(always)]
                fn into_trace(self) -> Self {
                    self
                }
            }
        }
    });
    quote!(#next #errors #trace)
}

/// The call of the author's function. It is spanned with the return type: there rustc reports a type that the node
/// cannot return.
fn process(krate: &Krate, item: &ItemFn) -> TokenStream {
    let sig = &item.sig;
    let hidden = Span::mixed_site();
    let call = call(&sig.ident, quote_spanned!(hidden=> node, packet), output_spans(sig));
    quote_spanned! {hidden=>
        #[inline(always)]
        fn process(
            node: &mut #krate::NodeContext<'_, Self>,
            packet: &mut #krate::Packet<'_>,
        ) -> #krate::Verdict<Self> {
            #krate::IntoVerdict::<Self>::into_verdict(#call)
        }
    }
}

/// The dispatch loop, with the author's function inside, compiled for an instruction set.
fn isa_clone(krate: &Krate, function: &Ident, (name, features): (&str, &str)) -> TokenStream {
    let clone = names::isa_clone(name);
    let in_section = in_section();
    quote! {
        enum #clone {}

        // SAFETY: `FEATURES` are those that `decide` is compiled with.
        #in_section
        unsafe impl #krate::__private::IsaClone<#function> for #clone {
            const ISA: &'static str = #name;
            const FEATURES: &'static str = #features;

            #[target_feature(enable = #features)]
            unsafe fn decide(call: &mut #krate::__private::Call) -> ::core::option::Option<::core::primitive::u16> {
                #krate::__private::decide::<#function>(call)
            }
        }
    }
}

fn with_clones(krate: &Krate, function: &Ident, clones: &Clones) -> Option<TokenStream> {
    let clones: Vec<_> = clones.x86_64().map(|(name, _)| names::isa_clone(name)).collect();
    (!clones.is_empty())
        .then(|| quote!(.clones(&[#(#krate::__private::NodeClone::of::<#function, #clones>()),*])))
}

fn registration(krate: &Krate, function: &Ident, index: usize, feature: &Feature) -> TokenStream {
    let Feature { arc, before, after } = feature;
    let in_section = in_section();
    let name = names::feature(index);
    quote! {
        #in_section
        #[#krate::__private::linkme::distributed_slice(#krate::__private::VPPKIT_FEATURES)]
        #[linkme(crate = #krate::__private::linkme)]
        static #name: #krate::__private::FeatureDescriptor =
            #krate::__private::FeatureDescriptor::new::<#function>(#arc, &[#(#before),*], &[#(#after),*]);
    }
}

/// What is kept of a node with errors: so much that its function still has types that exist.
pub struct Fallback {
    krate: Krate,
    types: [Option<Type>; 3],
    on_arc: bool,
    item: ItemFn,
}

impl Fallback {
    /// Of what was written.
    pub fn of(written: &Written) -> Self {
        let given = |ty: &Result<Option<Type>, _>| ty.as_ref().ok().and_then(Clone::clone);
        Self {
            krate: written.krate.clone().unwrap_or_default(),
            types: [given(&written.next), given(&written.errors), given(&written.trace)],
            on_arc: !written.features.is_empty(),
            item: written.item.clone(),
        }
    }
}

/// The author's function, and the node's type, without a registration.
pub fn fallback(fallback: Fallback) -> TokenStream {
    let Fallback { krate, types: [next, errors, trace], on_arc, item } = fallback;
    if item.sig.receiver().is_some() {
        // There can be no type beside a method, and without it the method is wrong.
        return TokenStream::new();
    }
    let item = item.without_async();
    let ty = node_type(&item, " A node with errors.");
    let is_node = is_node(&krate, &item.sig.ident, &quote!(c""), [&next, &errors, &trace], on_arc);
    let cfgs = item.cfgs();
    let hidden = const_block(is_node);
    quote! {
        #item
        #ty
        #(#cfgs)*
        #hidden
    }
}
