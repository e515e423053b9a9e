//! A trace record that was checked.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Fields, LitStr, Member, Type};

use crate::args::suggest::nearest;
use crate::diagnostics::{Checked, Diagnostics, Reported};
use crate::krate::Krate;
use crate::names;

use super::format::{Bad, Part, parts};
use super::parse::Written;

/// A trace record.
pub struct Trace {
    pub krate: Krate,
    pub ident: Ident,
    pub types: Vec<Type>,
    /// `None`: the author writes `Display`.
    pub display: Option<Display>,
}

/// How a record is printed.
pub struct Display {
    /// Names of fields in braces; those of a tuple struct are [`names::field`].
    pub format: LitStr,
    /// Each field that the format prints: its place in the struct, and the local that the format sees.
    pub fields: Vec<(Member, Ident)>,
}

impl Trace {
    /// Checks every part, and reports all that is wrong.
    pub fn validate(written: Written, dx: &mut Diagnostics) -> Checked<Self> {
        let Written { krate, ident, fields, format } = written;
        let display = format.and_then(|lit| match lit {
            Some(lit) => Display::validate(&lit, &fields, dx).map(Some),
            None => Ok(None),
        });
        let types = fields.into_iter().map(|field| field.ty).collect();
        Ok(Self { krate: krate?, ident, types, display: display? })
    }
}

impl Display {
    fn validate(lit: &LitStr, fields: &Fields, dx: &mut Diagnostics) -> Checked<Self> {
        let text = lit.value();
        let members: Vec<(String, Member)> =
            fields.members().map(|member| (called(&member), member)).collect();
        let known: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        let parts = parts(&text).map_err(|bad| {
            let (found, write) = match bad {
                Bad::Open => {
                    ("a `{` in the format is not closed", "write `{field}`, or `{{` for a brace".to_owned())
                }
                Bad::Close => {
                    ("a `}` in the format was not opened", "write `{field}`, or `}}` for a brace".to_owned())
                }
                Bad::Nameless => {
                    let all: Vec<String> = known.iter().map(|name| format!("`{{{name}}}`")).collect();
                    ("braces in the format name a field", format!("write {}", all.join(" or ")))
                }
            };
            dx.error(lit, found, write)
        })?;

        let mut format = String::new();
        let mut used: Vec<(Member, Ident)> = Vec::new();
        let mut failed = None;
        for part in parts {
            let name = match part {
                Part::Text(text) => {
                    format.push_str(text);
                    continue;
                }
                Part::Field(name) => name,
            };
            let Some((_, member)) = members.iter().find(|(known, _)| known == name) else {
                failed = Some(unknown(lit, name, &known, dx));
                continue;
            };
            let local = local(member, lit.span());
            format.push_str(&local.unraw().to_string());
            if !used.iter().any(|(other, _)| other == member) {
                used.push((member.clone(), local));
            }
        }
        match failed {
            Some(reported) => Err(reported),
            // The locals are looked up where the literal is.
            None => Ok(Self { format: LitStr::new(&format, lit.span()), fields: used }),
        }
    }
}

fn unknown(lit: &LitStr, name: &str, known: &[&str], dx: &mut Diagnostics) -> Reported {
    let write = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{{{near}}}`?"),
        None => {
            let all: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            format!("its fields are {}", all.join(", "))
        }
    };
    dx.error(lit, format!("the record has no field `{name}`"), write)
}

/// What a format calls the field.
fn called(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn local(member: &Member, span: Span) -> Ident {
    match member {
        Member::Named(ident) => {
            let mut local = ident.clone();
            local.set_span(span);
            local
        }
        Member::Unnamed(index) => names::field(index.index, span),
    }
}
