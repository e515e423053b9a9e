//! Next nodes that were checked.

use proc_macro2::Ident;

use crate::cstring::{CName, Kind};
use crate::diagnostics::{Checked, Diagnostics};
use crate::krate::Krate;

use super::parse::{Written, WrittenVariant};

/// The next nodes of a node, in order.
pub struct NextNodes {
    pub krate: Krate,
    pub ident: Ident,
    pub nodes: Vec<NextNode>,
}

/// One next node.
pub struct NextNode {
    pub variant: Ident,
    pub name: CName,
}

impl NextNodes {
    /// Checks every part, and reports all that is wrong.
    pub fn validate(written: Written, dx: &mut Diagnostics) -> Checked<Self> {
        let Written { krate, ident, variants } = written;
        let mut nodes: Vec<NextNode> = Vec::new();
        let mut failed = krate.as_ref().err().copied();
        for WrittenVariant { ident, shape, node } in variants {
            let name = node.and_then(|lit| CName::check(&lit, Kind::OtherNode, dx));
            match (shape, name) {
                (Ok(()), Ok(name)) => match nodes.iter().find(|other| other.name.text() == name.text()) {
                    Some(other) => {
                        let found = format!("`{}` is the node `{}` already", other.variant, name.text());
                        failed =
                            Some(dx.error_at(name.span(), found, format!("remove the variant `{ident}`")));
                    }
                    None => nodes.push(NextNode { variant: ident, name }),
                },
                (Err(reported), _) | (_, Err(reported)) => failed = Some(reported),
            }
        }
        match failed {
            Some(reported) => Err(reported),
            None => Ok(Self { krate: krate?, ident, nodes }),
        }
    }
}
