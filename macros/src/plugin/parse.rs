//! What was written on a plugin's init function.

use proc_macro2::TokenStream;
use syn::LitStr;

use crate::args::{Args, Grammar, Key, this_attribute};
use crate::diagnostics::{Checked, Diagnostics};
use crate::item::ItemFn;
use crate::krate::{self, Krate};

const GRAMMAR: Grammar = Grammar {
    attribute: "vlib_plugin",
    keys: &[
        Key { name: "description", example: "description = \"What it does\"" },
        Key { name: "default_disabled", example: "default_disabled" },
        Key { name: "overrides", example: "overrides = [\"ping_plugin.so\"]" },
        Key { name: "releases", example: "releases = [\"26.02\", \"26.06\"]" },
        krate::KEY,
    ],
};

/// `#[vlib_plugin(..)]` and the function.
pub struct Written {
    pub krate: Checked<Krate>,
    pub description: Checked<Option<LitStr>>,
    pub default_disabled: Checked<bool>,
    pub overrides: Checked<Vec<LitStr>>,
    pub releases: Checked<Vec<LitStr>>,
    pub item: ItemFn,
}

impl Written {
    /// Reads all of it. Fails only if there is no function; the arguments are read all the same.
    pub fn parse(args: TokenStream, item: TokenStream, dx: &mut Diagnostics) -> Checked<Self> {
        let mut args = Args::parse(&GRAMMAR, this_attribute(&item), args, dx);
        let krate = Krate::pop(&mut args, dx);
        let description = args.string("description", dx);
        let default_disabled = args.flag("default_disabled", dx);
        let overrides = args.strings("overrides", dx);
        let releases = args.strings("releases", dx);
        args.finish(dx);
        let item = ItemFn::parse(GRAMMAR.attribute, item, dx)?;
        Ok(Self { krate, description, default_disabled, overrides, releases, item })
    }
}
