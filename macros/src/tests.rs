//! Tests of whole macros: goldens, refusals, and random input.

mod expansions;
mod random;
mod refusals;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, Meta};

use crate::item::is_named;

/// Expands the macro in the first attribute of the source: `#[vlib_node(..)] fn ..` or `#[derive(Trace)] struct ..`.
fn expand(source: &str) -> TokenStream {
    let tokens: TokenStream = source.parse().expect("the test's source is tokens");
    let mut tokens = tokens.into_iter();
    let hash = tokens.next().into_iter();
    let Some(TokenTree::Group(brackets)) = tokens.next() else {
        panic!("the test's source begins with an attribute")
    };
    let attribute: TokenStream = hash.chain([TokenTree::Group(brackets)]).collect();
    let attribute =
        syn::parse::Parser::parse2(syn::Attribute::parse_outer, attribute).expect("an attribute").remove(0);
    let args = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    call(&attribute, args, tokens.collect())
}

fn call(attribute: &syn::Attribute, args: TokenStream, item: TokenStream) -> TokenStream {
    if is_named(attribute, "derive") {
        return match args.to_string().as_str() {
            "NextNodes" => crate::next_nodes::next_nodes(item),
            "NodeErrors" => crate::node_errors::node_errors(item),
            "Trace" => crate::trace::trace(item),
            other => panic!("no derive `{other}`"),
        };
    }
    match attribute.path().to_token_stream().to_string().as_str() {
        "vlib_node" => crate::node::vlib_node(args, item),
        "vnet_feature" => {
            crate::below_node::misplaced(crate::feature::ATTRIBUTE, crate::feature::DOES, args, item)
        }
        "multiarch" => {
            crate::below_node::misplaced(crate::multiarch::ATTRIBUTE, crate::multiarch::DOES, args, item)
        }
        "vlib_plugin" => crate::plugin::vlib_plugin(args, item),
        other => panic!("no attribute `{other}`"),
    }
}

/// The messages in an expansion. The expansion itself must be a file.
fn errors(expansion: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(expansion).expect("the expansion parses");
    let message = |item: &Item| match item {
        Item::Macro(item) if item.mac.path.segments.last()?.ident == "compile_error" => {
            item.mac.parse_body::<syn::LitStr>().ok().map(|lit| lit.value())
        }
        _ => None,
    };
    file.items.iter().filter_map(message).collect()
}
