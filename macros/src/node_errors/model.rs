//! Error counters that were checked.

use proc_macro2::Ident;
use syn::LitStr;
use syn::ext::IdentExt;

use crate::args::suggest::nearest;
use crate::cstring::{CName, Kind};
use crate::diagnostics::{Checked, Diagnostics};
use crate::krate::Krate;

use super::parse::{Written, WrittenVariant};

/// The runtime has a counter of this name behind those of the author.
const RESERVED: &str = "panic";

/// The error counters of a node, in order.
pub struct NodeErrors {
    pub krate: Krate,
    pub ident: Ident,
    pub counters: Vec<Counter>,
}

/// One error counter.
pub struct Counter {
    pub variant: Ident,
    pub name: CName,
    pub description: CName,
    pub severity: Severity,
}

/// How bad it is that it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Info,
    Warn,
    Error,
}

impl NodeErrors {
    /// Checks every part, and reports all that is wrong.
    pub fn validate(written: Written, dx: &mut Diagnostics) -> Checked<Self> {
        let Written { krate, ident, variants } = written;
        let mut counters: Vec<Counter> = Vec::new();
        let mut failed = krate.as_ref().err().copied();
        for variant in variants {
            match Counter::validate(variant, dx) {
                Ok(counter) => match counters.iter().find(|other| other.name.text() == counter.name.text()) {
                    Some(other) => {
                        let found =
                            format!("`{}` has the name `{}` already", other.variant, counter.name.text());
                        let write = "write `#[error(name = \"..\")]` with another name";
                        failed = Some(dx.error_at(counter.name.span(), found, write));
                    }
                    None => counters.push(counter),
                },
                Err(reported) => failed = Some(reported),
            }
        }
        match failed {
            Some(reported) => Err(reported),
            None => Ok(Self { krate: krate?, ident, counters }),
        }
    }
}

impl Counter {
    fn validate(written: WrittenVariant, dx: &mut Diagnostics) -> Checked<Self> {
        let WrittenVariant { ident, shape, doc, severity, name } = written;
        let severity = severity.and_then(|word| match word {
            Some(word) => Severity::of(&word, dx),
            None => Ok(Severity::Error),
        });
        let name = name.and_then(|lit| match lit {
            Some(lit) => CName::check(&lit, Kind::Counter, dx),
            None => {
                let name = snake_case(&ident.unraw().to_string());
                CName::check_text(&name, ident.span(), Kind::Counter, dx)
            }
        });
        let name = name.and_then(|name| not_reserved(name, dx));
        let description = doc.and_then(|lines| description(&ident, &lines, dx));
        shape?;
        Ok(Self { variant: ident, name: name?, description: description?, severity: severity? })
    }
}

fn not_reserved(name: CName, dx: &mut Diagnostics) -> Checked<CName> {
    if name.text() == RESERVED {
        let found = format!("every node has a counter `{RESERVED}` of vppkit's own");
        return Err(dx.error_at(name.span(), found, "write `#[error(name = \"..\")]` with another name"));
    }
    Ok(name)
}

/// The lines of the doc comment, joined.
fn description(variant: &Ident, lines: &[LitStr], dx: &mut Diagnostics) -> Checked<CName> {
    let text: Vec<String> = lines.iter().map(LitStr::value).collect();
    let words: Vec<&str> = text.iter().flat_map(|line| line.split_whitespace()).collect();
    let Some(first) = lines.first().filter(|_| !words.is_empty()) else {
        return Err(dx.error(
            variant,
            format!("`{variant}` has no description for `show errors`"),
            "write a `///` line above it: `/// packets that are too short`",
        ));
    };
    CName::check_text(&words.join(" "), first.span(), Kind::Description, dx)
}

impl Severity {
    const WORDS: [(&'static str, Self); 3] =
        [("info", Severity::Info), ("warn", Severity::Warn), ("error", Severity::Error)];

    fn of(word: &Ident, dx: &mut Diagnostics) -> Checked<Self> {
        let written = word.to_string();
        if let Some((_, severity)) = Self::WORDS.iter().find(|(known, _)| *known == written) {
            return Ok(*severity);
        }
        let near = nearest(&written, Self::WORDS.iter().map(|(known, _)| *known));
        let write = match near {
            Some(near) => format!("did you mean `severity = {near}`?"),
            None => "write `info`, `warn` or `error`".to_owned(),
        };
        Err(dx.error(word, format!("VPP has no severity `{written}`"), write))
    }
}

/// `TooShort` -> `too_short`, `IPTooShort` -> `ip_too_short`.
fn snake_case(ident: &str) -> String {
    let letters: Vec<char> = ident.chars().collect();
    let mut name = String::new();
    for (i, c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| letters.get(i));
        let starts_word = c.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() && *before != '_'
                    || before.is_uppercase() && letters.get(i + 1).is_some_and(|next| next.is_lowercase())
            });
        if starts_word {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_snake_case() {
        for (variant, name) in [
            ("Icmp", "icmp"),
            ("TooShort", "too_short"),
            ("IPTooShort", "ip_too_short"),
            ("Ip6", "ip6"),
            ("Ip6Short", "ip6_short"),
            ("NoFIB", "no_fib"),
            ("already_snake", "already_snake"),
            ("Odd_Mix", "odd_mix"),
            ("X", "x"),
        ] {
            assert_eq!(snake_case(variant), name);
        }
    }
}
