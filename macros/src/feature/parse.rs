//! What was written in `#[vnet_feature(..)]`.

use syn::{Attribute, LitStr};

use crate::args::{Args, Grammar, Key};
use crate::diagnostics::{Checked, Diagnostics};

const GRAMMAR: Grammar = Grammar {
    attribute: super::ATTRIBUTE,
    keys: &[
        Key { name: "arc", example: "arc = \"ip4-unicast\"" },
        Key { name: "before", example: "before = [\"ip4-lookup\"]" },
        Key { name: "after", example: "after = [\"ip4-policer-classify\"]" },
    ],
};

/// The arguments.
pub struct Written {
    pub arc: Checked<LitStr>,
    pub before: Checked<Vec<LitStr>>,
    pub after: Checked<Vec<LitStr>>,
}

impl Written {
    /// Reads the attribute.
    pub fn parse(attr: &Attribute, dx: &mut Diagnostics) -> Self {
        let mut args = Args::of_attribute(&GRAMMAR, attr, dx);
        let arc = args.required_string("arc", dx);
        let before = args.strings("before", dx);
        let after = args.strings("after", dx);
        args.finish(dx);
        Self { arc, before, after }
    }
}
