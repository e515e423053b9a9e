//! What a function's signature must be: the first error shows all of it, and one follows for each thing that is wrong.
//!
//! Types are only looked at as far as the macro must understand them. What they really are is judged by rustc, where
//! the expansion calls the function.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    AngleBracketedGenericArguments, FnArg, GenericArgument, PathArguments, ReturnType, Safety, Signature,
    Type,
};

use crate::args::text;
use crate::diagnostics::{Checked, Diagnostics};

/// The signature that a macro expects.
pub struct Expected {
    /// Whose signature it is, as in "a node's function".
    pub subject: &'static str,
    /// All of it, to be copied.
    pub usage: String,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// What to write as the return type.
    pub output: String,
    /// What that says.
    pub returns: &'static str,
    /// What to do without `async`.
    pub instead_of_async: &'static str,
}

/// A parameter that a macro expects.
pub struct Param {
    /// The usual name of it.
    pub name: &'static str,
    /// Its type, as an author writes it.
    pub ty: String,
    /// Looks at the type that was written.
    pub check: fn(&Param, &Type, &Ident, &mut Diagnostics) -> Checked<()>,
}

impl Expected {
    /// Checks all of the signature.
    pub fn check(&self, sig: &Signature, dx: &mut Diagnostics) -> Checked<()> {
        let mut details = Diagnostics::default();
        self.qualifiers(sig, &mut details);
        self.parameters(sig, &mut details);
        if let ReturnType::Default = sig.output {
            let found = format!("{} returns {}", self.subject, self.returns);
            details.error(&sig.ident, found, format!("write `-> {}` after the parameters", self.output));
        }
        if details.is_empty() {
            return Ok(());
        }
        let found = format!("this is not the signature of {}", self.subject);
        let reported = dx.error(sig, found, format!("write `{}`", self.usage));
        dx.append(details);
        Err(reported)
    }

    fn qualifiers(&self, sig: &Signature, dx: &mut Diagnostics) {
        let Signature {
            constness,
            asyncness,
            safety,
            abi,
            fn_token: _,
            ident: _,
            generics,
            paren_token: _,
            inputs: _,
            variadic,
            output: _,
        } = sig;
        let subject = self.subject;
        if let Some(token) = constness {
            dx.error(
                token,
                format!("{subject} runs when VPP calls it, not at compile time"),
                "remove `const`",
            );
        }
        if let Some(token) = asyncness {
            dx.error(token, format!("{subject} cannot be `async`"), self.instead_of_async);
        }
        if let Safety::Unsafe(token) = safety {
            let found = format!("{subject} is safe: vppkit keeps the promises that VPP asks for");
            dx.error(token, found, "remove `unsafe`");
        }
        if let Some(abi) = abi {
            let found = format!("{subject} is a Rust function: vppkit makes the C function that VPP calls");
            dx.error(abi, found, format!("remove `{}`", text(abi)));
        }
        if !generics.params.is_empty() {
            let found =
                format!("{subject} cannot be generic: VPP has one node function, not one for each type");
            let found = if subject.contains("node") { found } else { format!("{subject} cannot be generic") };
            dx.error(&generics, found, format!("remove `{}`", text(&generics)));
        }
        if let Some(clause) = &generics.where_clause {
            dx.error(clause, format!("{subject} has no `where` clause"), "remove it");
        }
        if let Some(variadic) = variadic {
            dx.error(variadic, format!("{subject} has a fixed number of parameters"), "remove `...`");
        }
    }

    fn parameters(&self, sig: &Signature, dx: &mut Diagnostics) {
        let mut expected = self.params.iter();
        for input in &sig.inputs {
            let typed = match input {
                FnArg::Receiver(receiver) => {
                    let found = format!("{} is no method", self.subject);
                    dx.error(receiver, found, "move the function out of the `impl`, and remove `self`");
                    continue;
                }
                FnArg::Typed(typed) => typed,
            };
            match expected.next() {
                Some(param) => {
                    // The check reports; each parameter is judged whatever the others are.
                    let _ = (param.check)(param, &typed.ty, &sig.ident, dx);
                }
                None => {
                    let n = self.params.len();
                    let found = format!("{} takes {}", self.subject, counted(n));
                    dx.error(input, found, format!("remove `{}`", text(&typed)));
                }
            }
        }
        for missing in expected {
            let found = format!("the parameter `{}` is missing", missing.name);
            let write = format!("write `{}: {}`", missing.name, missing.ty);
            dx.error_at(sig.paren_token.span.join(), found, write);
        }
    }
}

fn counted(n: usize) -> String {
    match n {
        1 => "one parameter".to_owned(),
        2 => "two parameters".to_owned(),
        n => format!("{n} parameters"),
    }
}

/// What `&mut T` refers to, or an error that says how to write it.
pub fn exclusive<'a>(param: &Param, ty: &'a Type, dx: &mut Diagnostics) -> Checked<&'a Type> {
    let Param { name, ty: expected, check: _ } = param;
    let write = format!("write `{name}: {expected}`");
    match peel(ty) {
        Type::Reference(reference) => {
            if let Some(lifetime) = &reference.lifetime {
                let found =
                    format!("the parameter `{name}` lives for the call only, so it has no named lifetime");
                return Err(dx.error(lifetime, found, write));
            }
            if reference.mutability.is_none() {
                let found = format!("the parameter `{name}` is `&mut`, found `{}`", text(ty));
                return Err(dx.error(ty, found, write));
            }
            Ok(peel(&reference.elem))
        }
        other => Err(dx.error(
            other,
            format!("the parameter `{name}` is `{expected}`, found `{}`", text(ty)),
            write,
        )),
    }
}

/// Checks that the type is `name`, by whatever path, and gives its generic arguments.
pub fn named<'a>(
    param: &Param,
    ty: &'a Type,
    name: &str,
    dx: &mut Diagnostics,
) -> Checked<&'a PathArguments> {
    if let Type::Path(path) = ty
        && let Some(last) = path.path.segments.last()
        && last.ident == name
    {
        return Ok(&last.arguments);
    }
    let Param { name, ty: expected, check: _ } = param;
    let found = format!("the parameter `{name}` is `{expected}`, found `&mut {}`", text(ty));
    Err(dx.error(ty, found, format!("write `{name}: {expected}`")))
}

/// The type without the invisible groups that `macro_rules` leaves around it, and without parentheses.
pub fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peel(&group.elem),
        Type::Paren(paren) => peel(&paren.elem),
        ty => ty,
    }
}

/// First and last token of the return type: what is spanned with them, rustc shows at the type.
pub fn output_spans(sig: &Signature) -> (Span, Span) {
    let mut tokens = match &sig.output {
        ReturnType::Default => sig.ident.to_token_stream().into_iter(),
        ReturnType::Type(_, ty) => ty.to_token_stream().into_iter(),
    };
    let first = tokens.next().map_or(sig.ident.span(), |token| token.span());
    (first, tokens.last().map_or(first, |token| token.span()))
}

/// Calls the function. The call begins and ends at these spans, so that there rustc reports its type.
pub fn call(function: &Ident, arguments: TokenStream, (start, end): (Span, Span)) -> TokenStream {
    // The name is still looked up where the author wrote it.
    let at = |span: Span| function.span().located_at(span);
    let mut function = function.clone();
    function.set_span(at(start));
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(at(end));
    quote!(#function #arguments)
}

/// Whether all arguments are `'_`, as in `Packet<'_>`.
pub fn is_elided(args: &AngleBracketedGenericArguments) -> bool {
    args.args.iter().all(|arg| matches!(arg, GenericArgument::Lifetime(lifetime) if lifetime.ident == "_"))
}
