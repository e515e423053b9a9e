//! The one argument grammar of all attributes: `name`, `name = value`, `name = [..]` and `name(list)`, separated by
//! commas.
//!
//! A macro pops the arguments that it knows. What is left over, given twice, of the wrong type or missing is reported
//! at its own token.

pub mod suggest;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Lit, LitStr, Meta, Path, Token, Type};

use crate::diagnostics::{Checked, Diagnostics, Reported};
use suggest::nearest;

/// What an attribute may be given.
pub struct Grammar {
    /// The attribute, as in `#[vlib_node]`.
    pub attribute: &'static str,
    /// Its arguments. The first one is what a bare literal was meant for.
    pub keys: &'static [Key],
}

/// One argument, and how it is written.
pub struct Key {
    /// Left of `=`.
    pub name: &'static str,
    /// An example of the whole.
    pub example: &'static str,
}

/// What was written right of an argument's name.
enum Value {
    Nothing,
    Literal(Lit),
    Type(Box<Type>),
    Array(Group),
    List(Group),
    Bad(Reported),
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Value::Nothing | Value::Bad(_) => {}
            Value::Literal(lit) => lit.to_tokens(tokens),
            Value::Type(ty) => ty.to_tokens(tokens),
            Value::Array(group) | Value::List(group) => group.to_tokens(tokens),
        }
    }
}

impl Value {
    fn plain_path(&self) -> Option<&Path> {
        let Value::Type(ty) = self else { return None };
        plain_path(ty)
    }
}

/// One argument as it was written.
struct Arg {
    key: Ident,
    value: Value,
}

/// The arguments of one attribute.
pub struct Args {
    grammar: &'static Grammar,
    /// The whole attribute: where a missing argument is reported.
    at: TokenStream,
    args: Vec<Arg>,
    /// Some of the text could not be read, so an argument may only seem to be missing.
    broken: Option<Reported>,
}

impl Args {
    /// Reads the text between the attribute's parentheses. `at` is the attribute.
    pub fn parse(
        grammar: &'static Grammar,
        at: TokenStream,
        tokens: TokenStream,
        dx: &mut Diagnostics,
    ) -> Self {
        let mut parsed = Self { grammar, at, args: Vec::new(), broken: None };
        // Never fails: each error is reported, and reading goes on behind the next comma.
        let read = |input: ParseStream| {
            while !input.is_empty() {
                if let Err(reported) = parsed.read_one(input, dx) {
                    parsed.broken = Some(reported);
                    skip_to_comma(input);
                }
                let _: Option<Token![,]> = input.parse().unwrap_or_default();
            }
            Ok(())
        };
        if let Err(error) = read.parse2(tokens) {
            parsed.broken =
                Some(dx.error_at(error.span(), &error, format!("write `{}`", grammar.example(0))));
        }
        parsed
    }

    /// Reads the arguments of an attribute that is still on its item, such as `#[vnet_feature(..)]`.
    pub fn of_attribute(grammar: &'static Grammar, attr: &syn::Attribute, dx: &mut Diagnostics) -> Self {
        let tokens = match &attr.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(_) => {
                let name = grammar.attribute;
                let reported = dx.error(
                    &attr.meta,
                    format!("`{name}` takes its arguments in parentheses"),
                    format!("write `#[{name}({})]`", grammar.example(0)),
                );
                return Self {
                    grammar,
                    at: attr.to_token_stream(),
                    args: Vec::new(),
                    broken: Some(reported),
                };
            }
        };
        Self::parse(grammar, attr.to_token_stream(), tokens, dx)
    }

    fn read_one(&mut self, input: ParseStream, dx: &mut Diagnostics) -> Checked<()> {
        let grammar = self.grammar;
        if input.peek(Token![,]) {
            let comma: Option<Token![,]> = input.parse().unwrap_or_default();
            return Err(dx.error(&comma, "there is no argument before this comma", "remove the comma"));
        }
        if !input.peek(Ident::peek_any) {
            let token = input.fork().parse::<TokenTree>().ok();
            let write = match input.fork().parse::<Lit>() {
                Ok(lit) => {
                    let first = grammar.keys.first().map_or("name", |key| key.name);
                    format!("write `{first} = {}`", text(&lit))
                }
                Err(_) => format!("write for example `{}`", grammar.example(0)),
            };
            return Err(dx.error(&token, "expected the name of an argument", write));
        }
        let Ok(key) = input.call(Ident::parse_any) else { return Ok(()) };

        let value = if input.peek(Token![=]) {
            let equals: Option<Token![=]> = input.parse().unwrap_or_default();
            if input.is_empty() || input.peek(Token![,]) {
                let write = match grammar.key(&key) {
                    Some(key) => format!("write `{}`", key.example),
                    None => "write a value, or remove the `=`".to_owned(),
                };
                Value::Bad(dx.error(&quote!(#key #equals), format!("`{key}` has no value"), write))
            } else {
                self.read_value(&key, input, dx)?
            }
        } else if input.is_empty() || input.peek(Token![,]) {
            Value::Nothing
        } else if let Ok(TokenTree::Group(group)) = input.fork().parse()
            && group.delimiter() == Delimiter::Parenthesis
        {
            let _: Option<TokenTree> = input.parse().ok();
            Value::List(group)
        } else {
            let token = input.fork().parse::<TokenTree>().ok();
            let write = match grammar.key(&key) {
                Some(key) => format!("write `{}`", key.example),
                None => format!("write for example `{}`", grammar.example(0)),
            };
            let error = dx.error(&token, format!("expected `=` after `{key}`"), write);
            self.args.push(Arg { key, value: Value::Bad(error) });
            return Err(error);
        };
        self.args.push(Arg { key, value });

        if !input.is_empty() && !input.peek(Token![,]) {
            let token = input.fork().parse::<TokenTree>().ok();
            let error = dx.error(&token, "expected a comma between two arguments", "write `,` before this");
            // What follows is most likely the next argument.
            if !input.peek(Ident::peek_any) {
                return Err(error);
            }
            self.broken = Some(error);
        }
        Ok(())
    }

    fn read_value(&mut self, key: &Ident, input: ParseStream, dx: &mut Diagnostics) -> Checked<Value> {
        if input.peek(Lit)
            && let Ok(lit) = input.parse()
        {
            return Ok(Value::Literal(lit));
        }
        if let Ok(TokenTree::Group(group)) = input.fork().parse()
            && group.delimiter() == Delimiter::Bracket
        {
            let _: Option<TokenTree> = input.parse().ok();
            return Ok(Value::Array(group));
        }
        // `-1` and the like are no types, but are read whole so that the message shows them.
        let token = input.fork().parse::<TokenTree>().ok();
        match input.parse::<Type>() {
            Ok(ty) => Ok(Value::Type(Box::new(ty))),
            Err(_) => {
                let write = match self.grammar.key(key) {
                    Some(key) => format!("write `{}`", key.example),
                    None => format!("write for example `{}`", self.grammar.example(0)),
                };
                let error = dx.error(&token, format!("this is no value for `{key}`"), write);
                self.args.push(Arg { key: key.clone(), value: Value::Bad(error) });
                Err(error)
            }
        }
    }

    /// Takes the argument `key`, and reports a second one of that name.
    fn pop(&mut self, key: &str, dx: &mut Diagnostics) -> Option<Arg> {
        let (mut found, rest): (Vec<_>, Vec<_>) = self.args.drain(..).partition(|arg| arg.key == key);
        self.args = rest;
        for again in found.iter().skip(1) {
            dx.error(&again.key, format!("`{key}` is given twice"), "remove one of the two");
        }
        if found.is_empty() { None } else { Some(found.swap_remove(0)) }
    }

    /// Reports that the argument is not what its key needs.
    fn wrong(&self, arg: &Arg, expected: &str, dx: &mut Diagnostics) -> Reported {
        let Arg { key, value } = arg;
        let found = match value {
            Value::Bad(reported) => return *reported,
            Value::Nothing => format!("`{key}` needs {expected}"),
            Value::List(_) => format!("`{key}` needs {expected}, after `=`"),
            value => format!("`{key}` needs {expected}, found `{}`", text(value)),
        };
        let at: &dyn ToTokens = if matches!(value, Value::Nothing) { key } else { value };
        dx.error(at, found, format!("write for example `{}`", self.grammar.example_of(&key.to_string())))
    }

    /// Takes `key = "string"`.
    pub fn string(&mut self, key: &str, dx: &mut Diagnostics) -> Checked<Option<LitStr>> {
        let Some(arg) = self.pop(key, dx) else { return Ok(None) };
        match arg.value {
            Value::Literal(Lit::Str(lit)) => Ok(Some(lit)),
            _ => Err(self.wrong(&arg, "a string literal", dx)),
        }
    }

    /// Takes `key = "string"`, which must be there.
    pub fn required_string(&mut self, key: &str, dx: &mut Diagnostics) -> Checked<LitStr> {
        if let Some(lit) = self.string(key, dx)? {
            return Ok(lit);
        }
        if let Some(reported) = self.broken {
            return Err(reported);
        }
        if let Some(misspelt) = self.args.iter().position(|arg| self.grammar.meant(&arg.key) == Some(key)) {
            let arg = self.args.remove(misspelt);
            return Err(unknown(self.grammar, &arg, dx));
        }
        let attribute = self.grammar.attribute;
        let example = self.grammar.example_of(key);
        Err(dx.error(
            &self.at,
            format!("`{attribute}` needs `{key}`"),
            format!("write `#[{attribute}({example})]`"),
        ))
    }

    /// Takes `key = Type`.
    pub fn ty(&mut self, key: &str, dx: &mut Diagnostics) -> Checked<Option<Type>> {
        let Some(arg) = self.pop(key, dx) else { return Ok(None) };
        match arg.value {
            Value::Type(ty) => Ok(Some(*ty)),
            _ => Err(self.wrong(&arg, "a type", dx)),
        }
    }

    /// Takes `key = path::of::a::module`.
    pub fn path(&mut self, key: &str, dx: &mut Diagnostics) -> Checked<Option<Path>> {
        let Some(arg) = self.pop(key, dx) else { return Ok(None) };
        match arg.value.plain_path() {
            Some(path) => Ok(Some(path.clone())),
            None => Err(self.wrong(&arg, "the path of a crate, without quotes", dx)),
        }
    }

    /// Takes `key = word`.
    pub fn word(&mut self, key: &str, dx: &mut Diagnostics) -> Checked<Option<Ident>> {
        let Some(arg) = self.pop(key, dx) else { return Ok(None) };
        match arg.value.plain_path().and_then(Path::get_ident) {
            Some(word) => Ok(Some(word.clone())),
            None => Err(self.wrong(&arg, "a word, without quotes", dx)),
        }
    }

    /// Takes `key`, which stands alone.
    pub fn flag(&mut self, key: &str, dx: &mut Diagnostics) -> Checked<bool> {
        let Some(arg) = self.pop(key, dx) else { return Ok(false) };
        match &arg.value {
            Value::Nothing => Ok(true),
            Value::Bad(reported) => Err(*reported),
            value => {
                let found = format!("`{key}` takes no value");
                Err(dx.error(value, found, format!("write `{key}` to switch it on, or leave it out")))
            }
        }
    }

    /// Takes `key = ["string", ..]`; none is an empty list.
    pub fn strings(&mut self, key: &str, dx: &mut Diagnostics) -> Checked<Vec<LitStr>> {
        let Some(arg) = self.pop(key, dx) else { return Ok(Vec::new()) };
        match &arg.value {
            Value::Array(group) => self.strings_in(key, group, dx),
            Value::Literal(Lit::Str(lit)) => Err(dx.error(
                lit,
                format!("`{key}` needs a list, found one string"),
                format!("write `{key} = [{}]`", text(lit)),
            )),
            _ => Err(self.wrong(&arg, "a list of string literals", dx)),
        }
    }

    fn strings_in(&self, key: &str, group: &Group, dx: &mut Diagnostics) -> Checked<Vec<LitStr>> {
        let mut strings = Vec::new();
        let mut failed = None;
        let write = format!("write for example `{}`", self.grammar.example_of(key));
        let read = |input: ParseStream| {
            while !input.is_empty() {
                let token = input.fork().parse::<TokenTree>().ok();
                match input.parse::<LitStr>() {
                    Ok(lit) if input.is_empty() || input.peek(Token![,]) => strings.push(lit),
                    Ok(lit) => {
                        failed = Some(dx.error(
                            &lit,
                            format!("`{key}` has no comma after {}", text(&lit)),
                            "write `,` between two strings",
                        ));
                        continue;
                    }
                    Err(_) => {
                        let found = format!("`{key}` is a list of string literals, found `{}`", text(&token));
                        failed = Some(dx.error(&token, found, &write));
                        skip_to_comma(input);
                    }
                }
                let _: Option<Token![,]> = input.parse().unwrap_or_default();
            }
            Ok(())
        };
        if let Err(error) = read.parse2(group.stream()) {
            failed = Some(dx.error_at(error.span(), &error, &write));
        }
        failed.map_or(Ok(strings), Err)
    }

    /// Reports what no one took.
    pub fn finish(self, dx: &mut Diagnostics) {
        let Self { grammar, args, at: _, broken: _ } = self;
        for arg in args {
            unknown(grammar, &arg, dx);
        }
    }
}

fn unknown(grammar: &Grammar, arg: &Arg, dx: &mut Diagnostics) -> Reported {
    let found = format!("`{}` has no argument `{}`", grammar.attribute, arg.key);
    let write = match grammar.meant(&arg.key) {
        Some(near) => format!("did you mean `{}`?", grammar.example_of(near)),
        None => {
            let all: Vec<String> = grammar.keys.iter().map(|key| format!("`{}`", key.example)).collect();
            format!("its arguments are {}", all.join(", "))
        }
    };
    dx.error(&arg.key, found, write)
}

fn plain_path(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Group(group) => plain_path(&group.elem),
        Type::Path(ty) if ty.qself.is_none() && ty.path.segments.iter().all(|s| s.arguments.is_none()) => {
            Some(&ty.path)
        }
        _ => None,
    }
}

impl Grammar {
    fn key(&self, key: &Ident) -> Option<&Key> {
        self.keys.iter().find(|known| key == known.name)
    }

    fn meant(&self, key: &Ident) -> Option<&'static str> {
        nearest(&key.to_string(), self.keys.iter().map(|key| key.name))
    }

    fn example(&self, index: usize) -> &'static str {
        self.keys.get(index).map_or("", |key| key.example)
    }

    fn example_of(&self, name: &str) -> &'static str {
        self.keys.iter().find(|key| key.name == name).map_or("", |key| key.example)
    }
}

fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

/// The tokens as an author would write them.
pub fn text(tokens: &dyn ToTokens) -> String {
    let tokens = tokens.to_token_stream();
    let mut text = tokens.to_string();
    // Inside a single literal spaces matter.
    if tokens.into_iter().nth(1).is_some() {
        for tight in ["::", ":", "<", ">", "&", ",", "'", ";"] {
            text = text.replace(&format!(" {tight}"), tight);
            if !matches!(tight, ":" | "," | ";" | ">") {
                text = text.replace(&format!("{tight} "), tight);
            }
        }
    }
    text
}

/// The literal of an attribute that takes exactly one: `#[next_node("ip4-lookup")]`.
pub fn one_literal(
    attr: &syn::Attribute,
    name: &str,
    example: &str,
    dx: &mut Diagnostics,
) -> Checked<LitStr> {
    let write = |written: &str| format!("write `#[{name}({written})]`");
    match &attr.meta {
        Meta::Path(path) => Err(dx.error(path, format!("`{name}` needs a string literal"), write(example))),
        Meta::NameValue(meta) => {
            let value = text(&meta.value);
            let written = if value.starts_with('"') { value.as_str() } else { example };
            Err(dx.error(meta, format!("`{name}` takes its string in parentheses"), write(written)))
        }
        Meta::List(list) => match syn::parse2::<LitStr>(list.tokens.clone()) {
            Ok(lit) => Ok(lit),
            Err(_) => {
                // `name = "x"` is the likely slip: repeat the string that is in there.
                let inside = list.tokens.clone().into_iter().find_map(|token| match token {
                    TokenTree::Literal(lit) if lit.to_string().starts_with('"') => Some(lit.to_string()),
                    _ => None,
                });
                let found = format!("`{name}` takes one string literal and nothing else");
                let at: &dyn ToTokens = if list.tokens.is_empty() { attr } else { &list.tokens };
                Err(dx.error(at, found, write(inside.as_deref().unwrap_or(example))))
            }
        },
    }
}

/// A token at the attribute that is being expanded, for an error about all of it. It belongs to the author of the item,
/// so that rustc does not blame the macro.
pub fn this_attribute(item: &TokenStream) -> TokenStream {
    let span = Span::call_site();
    let author = item.clone().into_iter().next().map_or(span, |token| token.span());
    TokenTree::from(Ident::new("_", author.located_at(span))).into()
}
