//! String literals that become C strings, checked by the rules of what they name.
//!
//! Where the rules come from (VPP 26.06, the same in the releases before):
//!
//! - A CLI command reads a node's name up to white space, and takes `{`, `}` and `\` for quoting
//!   (`vppinfra/unformat.c:126`, `unformat_string`).
//! - A feature's constraints are kept as `before,after` (`vnet/feature/registration.c`, `comma_split`): a comma in a
//!   name stops VPP.
//! - A node's name is part of an event-log format (`vlib/node.c:33`): a `%` would read an argument that is not there.
//! - A node's counters are `/nodes/NAME/..` and `/err/NAME/COUNTER` in the statistics (`vlib/stats/collector.c:87`,
//!   `vlib/error.c:185`), whose names have room for 127 bytes (`vlib/stats/shared.h:37`); what is longer is cut. 64
//!   for the node and 57 for the counter fill exactly that. The longest name among VPP's own nodes has 52.

use std::ffi::CString;

use proc_macro2::{Literal, Span, TokenStream};
use quote::ToTokens;
use syn::LitStr;

use crate::args::text;
use crate::diagnostics::{Checked, Diagnostics};

/// What a string names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The node that is being written.
    Node,
    /// A node of VPP, of another plugin, or of an interface.
    OtherNode,
    /// A feature arc.
    Arc,
    /// An error counter.
    Counter,
    /// Text for people.
    Description,
    /// The file of a plugin.
    PluginFile,
}

/// A C string that keeps to the rules of its kind.
#[derive(Debug, Clone)]
pub struct CName {
    text: CString,
    span: Span,
}

impl Kind {
    /// How it is called in a message.
    fn noun(self) -> &'static str {
        match self {
            Kind::Node | Kind::OtherNode => "the name of a node",
            Kind::Arc => "the name of a feature arc",
            Kind::Counter => "the name of an error counter",
            Kind::Description => "a description",
            Kind::PluginFile => "the file name of a plugin",
        }
    }

    /// Most bytes that VPP has room for, and where.
    fn room(self) -> (usize, &'static str) {
        match self {
            Kind::Node => (64, "in VPP's statistics"),
            Kind::Counter => (57, "in VPP's statistics"),
            Kind::OtherNode | Kind::Arc => (127, "in VPP's statistics"),
            // `show errors` and `show plugins` print a line for each.
            Kind::Description => (255, "in a line of VPP's output"),
            // `vlib_plugin_registration_t::overrides`, `vlib/unix/plugin.h`.
            Kind::PluginFile => (254, "in VPP's plugin registration"),
        }
    }

    /// Why a string of this kind cannot have `c`.
    fn refuses(self, c: char) -> Option<&'static str> {
        if c == '\0' {
            return Some("a C string ends there");
        }
        if c.is_control() {
            return Some("VPP prints it in a line");
        }
        if self == Kind::Description {
            return None;
        }
        match c {
            ' ' => Some("VPP reads a name up to the next space"),
            ',' => Some("VPP separates names by commas"),
            '%' => Some("VPP uses the name in a format"),
            '{' | '}' | '\\' | '"' => Some("VPP's command line takes it for quoting"),
            '/' if matches!(self, Kind::Node | Kind::Counter) => {
                Some("VPP separates the parts of a statistic's name by it")
            }
            c if !c.is_ascii_graphic() => Some("VPP's names are ASCII"),
            _ => None,
        }
    }
}

impl CName {
    /// Checks the literal.
    pub fn check(lit: &LitStr, kind: Kind, dx: &mut Diagnostics) -> Checked<Self> {
        if !lit.suffix().is_empty() {
            let found = format!("a string has no suffix, found `{}`", lit.suffix());
            return Err(dx.error(lit, found, format!("write {:?}", lit.value())));
        }
        Self::check_text(&lit.value(), lit.span(), kind, dx)
    }

    /// Checks text that was not written as a literal, such as a doc comment; `span` is where it comes from.
    pub fn check_text(value: &str, span: Span, kind: Kind, dx: &mut Diagnostics) -> Checked<Self> {
        let noun = kind.noun();
        if value.trim().is_empty() {
            return Err(dx.error_at(span, format!("{noun} cannot be empty"), kind.example()));
        }
        if let Some((c, why)) = value.chars().find_map(|c| Some((c, kind.refuses(c)?))) {
            let found = format!("{noun} cannot have {}: {why}", called(c));
            let better = kind.repaired(value);
            let write = if better.is_empty() {
                kind.example().to_owned()
            } else {
                format!("write for example {better:?}")
            };
            return Err(dx.error_at(span, found, write));
        }
        let (room, wher) = kind.room();
        if value.len() > room {
            let found = format!("{noun} has room for {room} bytes {wher}, this one has {}", value.len());
            return Err(dx.error_at(span, found, "write a shorter one"));
        }
        if kind == Kind::PluginFile && !value.ends_with(".so") {
            let found = "a plugin is named by its file, which ends in `_plugin.so`";
            return Err(dx.error_at(
                span,
                found,
                format!("write \"{}_plugin.so\"", value.trim_end_matches("_plugin")),
            ));
        }
        match CString::new(value) {
            Ok(text) => Ok(Self { text, span }),
            // A NUL is a control character, refused above.
            Err(_) => Err(dx.error_at(span, format!("{noun} cannot have a NUL"), "remove it")),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.text.to_str().unwrap_or_default()
    }

    /// Where it was written.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl Kind {
    fn example(self) -> &'static str {
        match self {
            Kind::Node => "write for example \"my-node\"",
            Kind::OtherNode => "write for example \"ip4-lookup\"",
            Kind::Arc => "write for example \"ip4-unicast\"",
            Kind::Counter => "write for example \"short\"",
            Kind::Description => "write what it is, in a few words",
            Kind::PluginFile => "write for example \"ping_plugin.so\"",
        }
    }

    /// A name like the one written, without what VPP cannot have.
    fn repaired(self, value: &str) -> String {
        let between = if self == Kind::Counter { "_" } else { "-" };
        let words = value.split(|c| self.refuses(c).is_some()).filter(|word| !word.is_empty());
        let separator = if self == Kind::Description { " " } else { between };
        words.collect::<Vec<_>>().join(separator)
    }
}

fn called(c: char) -> String {
    match c {
        ' ' => "a space".to_owned(),
        '\0' => "a NUL".to_owned(),
        '\n' => "a line break".to_owned(),
        '\t' => "a tab".to_owned(),
        c if c.is_control() => "a control character".to_owned(),
        c => format!("`{c}`"),
    }
}

impl ToTokens for CName {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut literal = Literal::c_string(&self.text);
        literal.set_span(self.span);
        literal.to_tokens(tokens);
    }
}

/// Checks a list of names, and that none is there twice.
pub fn names(lits: &[LitStr], kind: Kind, dx: &mut Diagnostics) -> Checked<Vec<CName>> {
    let mut names: Vec<CName> = Vec::new();
    let mut failed = None;
    for lit in lits {
        match CName::check(lit, kind, dx) {
            Ok(name) if names.iter().any(|other| other.text == name.text) => {
                failed = Some(dx.error(
                    lit,
                    format!("{} is in the list twice", text(lit)),
                    "remove one of the two",
                ));
            }
            Ok(name) => names.push(name),
            Err(reported) => failed = Some(reported),
        }
    }
    failed.map_or(Ok(names), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, kind: Kind) -> Result<String, String> {
        let mut dx = Diagnostics::default();
        match CName::check(&LitStr::new(value, Span::call_site()), kind, &mut dx) {
            Ok(name) => Ok(name.to_token_stream().to_string()),
            Err(_) => Err(dx.into_tokens().to_string()),
        }
    }

    #[test]
    fn names_become_c_literals() {
        assert_eq!(check("drop-icmp", Kind::Node), Ok("c\"drop-icmp\"".to_owned()));
        assert_eq!(check("GigabitEthernet0/8/0-output", Kind::OtherNode).map(drop), Ok(()));
        assert_eq!(check("ICMP packets, dropped: 100%", Kind::Description).map(drop), Ok(()));
    }

    #[test]
    fn what_vpp_cannot_have_is_refused_with_a_better_name() {
        for (value, kind, message) in [
            ("", Kind::Node, "cannot be empty"),
            ("  ", Kind::Description, "cannot be empty"),
            ("drop icmp", Kind::Node, "a space"),
            ("drop icmp", Kind::Node, "drop-icmp"),
            ("a,b", Kind::OtherNode, "commas"),
            ("100%", Kind::Node, "format"),
            ("a/b", Kind::Node, "statistic"),
            ("a\0b", Kind::Node, "NUL"),
            ("a\nb", Kind::Description, "line break"),
            ("nœud", Kind::Arc, "ASCII"),
            ("x", Kind::PluginFile, "x_plugin.so"),
        ] {
            let error = check(value, kind).err().unwrap_or_default();
            assert!(error.contains(message), "{value:?}: {error}");
        }
    }

    #[test]
    fn a_node_and_a_counter_fill_a_statistic_exactly() {
        let path = format!("/err/{}/{}", "n".repeat(Kind::Node.room().0), "c".repeat(Kind::Counter.room().0));
        assert_eq!(path.len(), 127);
        assert!(check(&"n".repeat(64), Kind::Node).is_ok());
        assert!(check(&"n".repeat(65), Kind::Node).is_err());
    }
}
