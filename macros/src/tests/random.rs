//! No macro panics, whatever it is fed, and what it gives is a file or an error.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use proptest::prelude::*;

use super::call;

/// Words that the parsers know, and some that they do not.
const WORDS: &[&str] = &[
    "name",
    "next",
    "errors",
    "trace",
    "crate",
    "arc",
    "before",
    "after",
    "description",
    "default_disabled",
    "overrides",
    "severity",
    "info",
    "error",
    "next_node",
    "vppkit",
    "doc",
    "vlib_node",
    "vnet_feature",
    "multiarch",
    "icl",
    "cfg",
    "inline",
    "fn",
    "pub",
    "const",
    "unsafe",
    "async",
    "extern",
    "struct",
    "enum",
    "union",
    "where",
    "self",
    "Self",
    "mut",
    "r#match",
    "node",
    "packet",
    "vm",
    "f",
    "T",
    "NodeContext",
    "Packet",
    "MainBarrier",
    "Verdict",
    "Next",
    "dyn",
    "impl",
    "for",
    "_",
    "Größe",
    "__vppkit_x",
];

const LITERALS: &[&str] = &[
    "\"drop-icmp\"",
    "\"\"",
    "\"a b\"",
    "\"{a}\"",
    "\"{\"",
    "\"}{\"",
    "\"{0:>w$.p$}\"",
    "\"\\0\"",
    "\"é%\"",
    "\"x\"y",
    "r#\"raw\"#",
    "c\"c\"",
    "b\"b\"",
    "'c'",
    "b'b'",
    "0",
    "1u8",
    "0xff",
    "1.5",
    "340282366920938463463374607431768211456",
];

const PUNCTS: &[&str] = &[
    "=", ",", ":", "::", ";", "&", "<", ">", "->", "#", "#!", "!", "$", "'a", "'static", "-", "+", "*",
    "...", "|", "=>", "?", ".",
];

/// Text is the easy way to tokens: each piece is whole, so the lexer takes any sequence of them.
fn tokens() -> impl Strategy<Value = TokenStream> {
    let leaf = prop_oneof![
        4 => prop::sample::select(WORDS),
        2 => prop::sample::select(LITERALS),
        4 => prop::sample::select(PUNCTS),
    ]
    .prop_map(|text| text.parse::<TokenStream>().unwrap_or_default());
    let tree = leaf.prop_recursive(4, 64, 8, |inner| {
        let delimiter = prop::sample::select(
            &[Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None][..],
        );
        (delimiter, prop::collection::vec(inner, 0..8)).prop_map(|(delimiter, inner)| {
            TokenStream::from(TokenTree::Group(Group::new(delimiter, inner.into_iter().collect())))
        })
    });
    prop::collection::vec(tree, 0..24).prop_map(|trees| trees.into_iter().collect())
}

const ATTRIBUTES: &[&str] = &["vlib_node", "vnet_feature", "multiarch", "vlib_plugin", "derive"];

const DERIVES: &[&str] = &["NextNodes", "NodeErrors", "Trace"];

fn check(attribute: &str, args: TokenStream, item: TokenStream) -> Result<(), TestCaseError> {
    let path = syn::Ident::new(attribute, proc_macro2::Span::call_site());
    let output = call(&syn::parse_quote!(#[#path]), args, item);
    let text = output.to_string();
    let is_file = syn::parse2::<syn::File>(output).is_ok();
    prop_assert!(is_file || text.contains("compile_error"), "{text}");
    Ok(())
}

fn source(text: &str) -> TokenStream {
    text.parse().expect("the test's source is tokens")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_on_a_function(attribute in prop::sample::select(&ATTRIBUTES[..4]), args in tokens()) {
        check(attribute, args, source("fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> Next {}"))?;
    }

    #[test]
    fn any_item(attribute in prop::sample::select(&ATTRIBUTES[..4]), item in tokens()) {
        check(attribute, source("name = \"f\""), item)?;
    }

    #[test]
    fn any_signature(
        attribute in prop::sample::select(&ATTRIBUTES[..4]),
        parameters in tokens(),
        output in tokens(),
        body in tokens(),
    ) {
        check(attribute, source("name = \"f\""), quote::quote!(fn f(#parameters) -> #output { #body }))?;
    }

    #[test]
    fn any_feature(args in tokens()) {
        let item = quote::quote! {
            #[vnet_feature(#args)]
            fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> Verdict<f> {}
        };
        check("vlib_node", source("name = \"f\""), item)?;
    }

    #[test]
    fn any_instruction_sets(args in tokens()) {
        let item = quote::quote! {
            #[multiarch(#args)]
            fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> Verdict<f> {}
        };
        check("vlib_node", source("name = \"f\""), item)?;
    }

    #[test]
    fn any_input_of_a_derive(derive in prop::sample::select(DERIVES), item in tokens()) {
        check("derive", source(derive), item)?;
    }

    #[test]
    fn any_attributes_in_an_enum(derive in prop::sample::select(DERIVES), args in tokens(), outer in tokens()) {
        let item = quote::quote! {
            #[vppkit(#outer)]
            #[trace(#args)]
            enum E { #[next_node(#args)] A, #[error(#args)] #[doc = #outer] B, C { #outer } }
        };
        check("derive", source(derive), item)?;
    }

    #[test]
    fn any_attributes_on_a_struct(args in tokens(), fields in tokens()) {
        check("derive", source("Trace"), quote::quote! { #[trace(#args)] #[vppkit(#args)] struct S { #fields } })?;
    }

    #[test]
    fn any_format(format in ".*") {
        let lit = proc_macro2::Literal::string(&format);
        check("derive", source("Trace"), quote::quote! { #[trace(#lit)] struct S { a: u8, b: u16 } })?;
        check("vlib_node", quote::quote!(name = #lit), source("fn f() {}"))?;
    }
}
