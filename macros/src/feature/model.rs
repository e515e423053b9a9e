//! A place on a feature arc that was checked.

use syn::Attribute;

use crate::cstring::{self, CName, Kind};
use crate::diagnostics::{Checked, Diagnostics};

use super::parse::Written;

/// A place on a feature arc.
pub struct Feature {
    pub arc: CName,
    /// Nodes that come later on the arc.
    pub before: Vec<CName>,
    /// Nodes that come earlier.
    pub after: Vec<CName>,
}

impl Feature {
    /// Reads and checks the attributes of one node. `node` is its name, if that is right.
    pub fn all(attrs: &[Attribute], node: Option<&CName>, dx: &mut Diagnostics) -> Checked<Vec<Self>> {
        let mut features: Vec<Self> = Vec::new();
        let mut failed = None;
        for attr in attrs {
            match Self::validate(Written::parse(attr, dx), node, dx) {
                Ok(feature) if features.iter().any(|other| other.arc.text() == feature.arc.text()) => {
                    let arc = feature.arc.text();
                    failed = Some(dx.error_at(
                        feature.arc.span(),
                        format!("the node is on the arc `{arc}` twice"),
                        "join the two attributes into one",
                    ));
                }
                Ok(feature) => features.push(feature),
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(features), Err)
    }

    fn validate(written: Written, node: Option<&CName>, dx: &mut Diagnostics) -> Checked<Self> {
        let Written { arc, before, after } = written;
        let arc = arc.and_then(|lit| CName::check(&lit, Kind::Arc, dx));
        let before = before.and_then(|lits| cstring::names(&lits, Kind::OtherNode, dx));
        let after = after.and_then(|lits| cstring::names(&lits, Kind::OtherNode, dx));
        let feature = Self { arc: arc?, before: before?, after: after? };
        feature.ordered(node, dx)?;
        Ok(feature)
    }

    /// A cycle on an arc stops VPP when it starts (`vnet/feature/feature.c`, `vnet_feature_init`).
    fn ordered(&self, node: Option<&CName>, dx: &mut Diagnostics) -> Checked<()> {
        let mut result = Ok(());
        for (list, names) in [("before", &self.before), ("after", &self.after)] {
            for name in names.iter().filter(|name| node.is_some_and(|node| node.text() == name.text())) {
                let found = format!("the node `{}` cannot be {list} itself", name.text());
                result = Err(dx.error_at(name.span(), found, "name the node that it has to be next to"));
            }
        }
        for name in self.after.iter().filter(|name| self.before.iter().any(|b| b.text() == name.text())) {
            let found = format!("the node cannot be both before and after `{}`", name.text());
            result = Err(dx.error_at(name.span(), found, "remove one of the two"));
        }
        result
    }
}
