//! The instruction sets of a node, checked.

use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

use crate::args::suggest::nearest;
use crate::diagnostics::{Checked, Diagnostics};

use super::isa::{self, ISAS, Isa, Target};

/// The instruction sets that a node is compiled for, beside its own function. Each once.
pub struct Clones(Vec<&'static Isa>);

impl Clones {
    /// Reads and checks the attributes of one node.
    pub fn all(attrs: &[Attribute], dx: &mut Diagnostics) -> Checked<Self> {
        let mut clones = Self(Vec::new());
        let mut failed = Ok(());
        for (i, attr) in attrs.iter().enumerate() {
            if i > 0 {
                failed =
                    Err(dx.error(attr, "the node has `multiarch` twice", "join the two attributes into one"));
                continue;
            }
            for name in names(attr, dx)? {
                if let Err(reported) = clones.add(&name, dx) {
                    failed = Err(reported);
                }
            }
        }
        failed.map(|()| clones)
    }

    fn add(&mut self, name: &Ident, dx: &mut Diagnostics) -> Checked<()> {
        let text = name.to_string();
        let Some(isa) = isa::find(&text) else {
            let write = match nearest(&text, ISAS.iter().map(|isa| isa.name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    format!("write one of {}", ISAS.iter().map(|isa| isa.name).collect::<Vec<_>>().join(", "))
                }
            };
            return Err(dx.error(name, format!("VPP has no instruction-set variant `{text}`"), write));
        };
        if self.0.iter().any(|other| other.name == isa.name) {
            return Err(dx.error(name, format!("the instruction set `{text}` is there twice"), "remove one"));
        }
        self.0.push(isa);
        Ok(())
    }

    /// Name and features of each clone for x86-64.
    pub fn x86_64(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().filter_map(|isa| match isa.target {
            Target::X86_64 { features, .. } => Some((isa.name, features)),
            Target::Baseline | Target::Elsewhere => None,
        })
    }
}

fn names(attr: &Attribute, dx: &mut Diagnostics) -> Checked<Vec<Ident>> {
    let example = "write the instruction sets, for example `#[multiarch(icl, skx, neon)]`";
    let Meta::List(list) = &attr.meta else {
        return Err(dx.error(attr, "`multiarch` without instruction sets makes no clones", example));
    };
    let names = list.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated);
    match names {
        Ok(names) if !names.is_empty() => Ok(names.into_iter().collect()),
        Ok(_) => Err(dx.error(attr, "`multiarch` without instruction sets makes no clones", example)),
        Err(error) => {
            let found = format!("`multiarch` takes names of instruction sets: {error}");
            Err(dx.error_at(error.span(), found, example))
        }
    }
}
