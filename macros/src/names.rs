//! Every name that an expansion makes.
//!
//! | name | kind | made by |
//! |---|---|---|
//! | the function's own | empty enum, the node's type | `#[vlib_node]` |
//! | `__VPPKIT_NODE` | static in `vppkit::__private::VPPKIT_NODES` | `#[vlib_node]` |
//! | `__VPPKIT_FEATURE_0`, `_1`, .. | statics in `vppkit::__private::VPPKIT_FEATURES`, one for each arc | `#[vnet_feature]` |
//! | `__Vppkit_icl`, .. | empty enum: a clone for an instruction set | `#[multiarch]` |
//! | `__VPPKIT_PLUGIN` | static: what the functions below share | `#[vlib_plugin]` |
//! | `__vppkit_init` | function around the author's, so that rustc checks its type | `#[vlib_plugin]` |
//! | `__vppkit_one_plugin_per_crate` | exported macro: a second one in the crate is an error | `#[vlib_plugin]` |
//! | `__vppkit_holds`, `__vppkit_fields` | functions that are never called: rustc checks the fields' types | `derive(Trace)` |
//! | `__vppkit_field_0`, .. | locals: the fields of a tuple struct | `derive(Trace)` |
//!
//! All but the node's type and the exported macro are inside `const _: () = { .. };`, out of the author's reach. They
//! begin with [`RESERVED`] all the same: the author's own function is called from in there.
//!
//! | symbol | section | made by |
//! |---|---|---|
//! | `vlib_plugin_registration` | `.vlib_plugin_registration`: VPP reads it from the file | `#[vlib_plugin]` |
//! | `vppkit_early_init` | named in the registration: VPP calls it after loading | `#[vlib_plugin]` |
//! | – | `.init_array`, `.fini_array`: called when the plugin is loaded and unloaded | `#[vlib_plugin]` |
//! | – | those of `linkme` for `VPPKIT_NODES` and `VPPKIT_FEATURES` | `#[vlib_node]` |

use proc_macro2::{Ident, Span};
use quote::format_ident;

use crate::diagnostics::{Checked, Diagnostics};

/// What every generated name begins with, in small or capital letters.
pub const RESERVED: &str = "__vppkit";

/// `__VPPKIT_NODE`
pub fn node() -> Ident {
    Ident::new("__VPPKIT_NODE", Span::call_site())
}

/// `__VPPKIT_FEATURE_{index}`
pub fn feature(index: usize) -> Ident {
    format_ident!("__VPPKIT_FEATURE_{index}", span = Span::call_site())
}

/// `__Vppkit_{isa}`
pub fn isa_clone(isa: &str) -> Ident {
    format_ident!("__Vppkit_{isa}", span = Span::call_site())
}

/// `__VPPKIT_PLUGIN`
pub fn plugin() -> Ident {
    Ident::new("__VPPKIT_PLUGIN", Span::call_site())
}

/// `__vppkit_init`
pub fn init() -> Ident {
    Ident::new("__vppkit_init", Span::call_site())
}

/// `__vppkit_one_plugin_per_crate`
pub fn one_plugin() -> Ident {
    Ident::new("__vppkit_one_plugin_per_crate", Span::call_site())
}

/// `__vppkit_holds`
pub fn holds() -> Ident {
    Ident::new("__vppkit_holds", Span::call_site())
}

/// `__vppkit_fields`
pub fn fields() -> Ident {
    Ident::new("__vppkit_fields", Span::call_site())
}

/// `__vppkit_field_{index}`, seen from the format string at `span`.
pub fn field(index: u32, span: Span) -> Ident {
    format_ident!("__vppkit_field_{index}", span = span)
}

/// Refuses an author's name that an expansion could make.
pub fn not_reserved(ident: &Ident, dx: &mut Diagnostics) -> Checked<()> {
    if ident.to_string().to_lowercase().starts_with(RESERVED) {
        let found = format!("names that begin with `{RESERVED}` are made by vppkit's macros");
        return Err(dx.error(ident, found, "give the function another name"));
    }
    Ok(())
}
