//! A function whose body is not parsed: a mistake in there is reported once, by rustc.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Signature, Visibility};

use crate::diagnostics::{Checked, Diagnostics};

/// A function item.
#[derive(Clone)]
pub struct ItemFn {
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub sig: Signature,
    pub body: Group,
}

impl ItemFn {
    /// Reads the item under `#[attribute]`.
    pub fn parse(attribute: &str, item: TokenStream, dx: &mut Diagnostics) -> Checked<Self> {
        if let Ok(item) = syn::parse2(item.clone()) {
            return Ok(item);
        }
        let (head, what) = describe(&item);
        let found = format!("`{attribute}` goes on a function with a body, found {what}");
        let write = format!("write `#[{attribute}(..)]` above a `fn`");
        Err(dx.error(&head, found, write))
    }

    /// For a function that must not be `async`: without it, and without the body, which may `.await`.
    pub fn without_async(mut self) -> Self {
        if self.sig.asyncness.take().is_some() {
            let span = self.body.span();
            self.body = Group::new(Delimiter::Brace, quote!(loop {}));
            self.body.set_span(span);
        }
        self
    }

    /// Removes the attributes whose path ends in `name`, in order.
    pub fn take_attrs(&mut self, name: &str) -> Vec<Attribute> {
        let (taken, rest) =
            std::mem::take(&mut self.attrs).into_iter().partition(|attr| is_named(attr, name));
        self.attrs = rest;
        taken
    }

    /// The conditions under which the item exists; what is generated beside it exists under the same.
    pub fn cfgs(&self) -> Vec<&Attribute> {
        self.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
    }
}

/// Whether the attribute is `name`, by whatever path.
pub fn is_named(attr: &Attribute, name: &str) -> bool {
    attr.path().segments.last().is_some_and(|segment| segment.ident == name)
}

impl Parse for ItemFn {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        match input.parse()? {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace && input.is_empty() => {
                Ok(Self { attrs, vis, sig, body })
            }
            other => Err(syn::Error::new(other.span(), "expected a body")),
        }
    }
}

impl ToTokens for ItemFn {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body } = self;
        for attr in attrs {
            attr.to_tokens(tokens);
        }
        vis.to_tokens(tokens);
        sig.to_tokens(tokens);
        body.to_tokens(tokens);
    }
}

/// What an item is, and the token that says so.
fn describe(item: &TokenStream) -> (TokenStream, &'static str) {
    let rest = |input: ParseStream| {
        let _ = input.call(Attribute::parse_outer)?;
        let _: Visibility = input.parse()?;
        input.parse::<TokenStream>()
    };
    let rest = rest.parse2(item.clone()).unwrap_or_else(|_| item.clone());
    for token in rest.clone() {
        let TokenTree::Ident(word) = &token else { break };
        let what = match word.to_string().as_str() {
            "struct" => "a struct",
            "enum" => "an enum",
            "union" => "a union",
            "trait" => "a trait",
            "impl" => "an `impl`",
            "mod" => "a module",
            "static" => "a static",
            "use" => "a `use`",
            "type" => "a type alias",
            "macro_rules" => "a macro",
            "fn" => "a function without one",
            "const" | "unsafe" | "async" | "extern" => continue,
            _ => "something else",
        };
        return (TokenStream::from(token), what);
    }
    (rest, "something else")
}
