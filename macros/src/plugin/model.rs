//! A plugin that was understood and checked.

use proc_macro2::Ident;
use syn::{LitStr, PathArguments, Type};

use crate::cstring::{self, CName, Kind};
use crate::diagnostics::{Checked, Diagnostics};
use crate::item::ItemFn;
use crate::krate::Krate;
use crate::names;
use crate::signature::{Expected, Param, exclusive, is_elided, named};

use super::parse::Written;

/// Bytes in `vlib_plugin_registration_t::overrides`, without the NUL and one that VPP keeps free
/// (`vlib/unix/plugin.c:111`).
const OVERRIDES_ROOM: usize = 254;

/// A plugin.
pub struct Plugin {
    pub krate: Krate,
    /// `None`: the one in Cargo.toml.
    pub description: Option<LitStr>,
    pub default_disabled: bool,
    /// Files of plugins that VPP does not load beside this one, separated by commas.
    pub overrides: String,
    /// The releases of VPP that the plugin is for; empty: all that the runtime supports.
    pub releases: Vec<LitStr>,
    pub item: ItemFn,
}

impl Plugin {
    /// Checks every part, and reports all that is wrong.
    pub fn validate(written: Written, dx: &mut Diagnostics) -> Checked<Self> {
        let Written { krate, description, default_disabled, overrides, releases, item } = written;
        let description = description.and_then(|lit| match lit {
            Some(lit) => CName::check(&lit, Kind::Description, dx).map(|_| Some(lit)),
            None => Ok(None),
        });
        let overrides = overrides.and_then(|lits| joined(&lits, dx));
        let releases = releases.and_then(|lits| checked_releases(lits, dx));
        let signature = expected(&item.sig.ident).check(&item.sig, dx);
        let reserved = names::not_reserved(&item.sig.ident, dx);
        signature?;
        reserved?;
        Ok(Self {
            krate: krate?,
            description: description?,
            default_disabled: default_disabled?,
            overrides: overrides?,
            releases: releases?,
            item,
        })
    }
}

fn joined(lits: &[LitStr], dx: &mut Diagnostics) -> Checked<String> {
    let files = cstring::names(lits, Kind::PluginFile, dx)?;
    let joined = files.iter().map(CName::text).collect::<Vec<_>>().join(",");
    match lits.last() {
        Some(last) if joined.len() > OVERRIDES_ROOM => {
            let found =
                format!("VPP has room for {OVERRIDES_ROOM} bytes of overrides, these have {}", joined.len());
            Err(dx.error(last, found, "override fewer plugins"))
        }
        _ => Ok(joined),
    }
}

/// Whether each looks like a release, once. Which releases there are, the runtime knows.
fn checked_releases(lits: Vec<LitStr>, dx: &mut Diagnostics) -> Checked<Vec<LitStr>> {
    let mut checked = Ok(());
    for (i, lit) in lits.iter().enumerate() {
        let name = lit.value();
        if !is_release(&name) {
            let found = format!("`{name}` is no release of VPP");
            checked = Err(dx.error(lit, found, "write year and month, like \"26.06\""));
        } else if lits[..i].iter().any(|before| before.value() == name) {
            checked = Err(dx.error(lit, format!("the release `{name}` is there twice"), "remove one"));
        }
    }
    checked.map(|()| lits)
}

/// Like `26.06`, or `26.10-rc0` for a development line.
fn is_release(name: &str) -> bool {
    let number = name.strip_suffix("-rc0").unwrap_or(name);
    let two_digits = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
    number.split_once('.').is_some_and(|(year, month)| two_digits(year) && two_digits(month))
}

fn expected(function: &Ident) -> Expected {
    Expected {
        subject: "a plugin's init function",
        usage: format!("fn {function}(vm: &mut MainBarrier) -> Result<()>"),
        params: vec![Param { name: "vm", ty: "&mut MainBarrier".to_owned(), check: barrier }],
        output: "Result<()>".to_owned(),
        returns: "whether the plugin can work",
        instead_of_async: "remove `async`: VPP waits for the function",
    }
}

/// `&mut MainBarrier`
fn barrier(param: &Param, ty: &Type, _: &Ident, dx: &mut Diagnostics) -> Checked<()> {
    let inner = exclusive(param, ty, dx)?;
    match named(param, inner, "MainBarrier", dx)? {
        PathArguments::None => Ok(()),
        PathArguments::AngleBracketed(args) if is_elided(args) => Ok(()),
        args => {
            let found = "the barrier lasts for the call only, so it has no named lifetime";
            Err(dx.error(args, found, format!("write `{}: {}`", param.name, param.ty)))
        }
    }
}
