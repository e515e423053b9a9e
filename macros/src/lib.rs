//! The procedural macros of `vppkit`. This crate is an implementation detail: depend on `vppkit`, whose re-exports
//! carry the documentation for authors.
//!
//! Each macro is a module with `parse` (what was written, with spans), `model` (what was understood and checked) and
//! `expand` (the code). The functions below only route.

mod args;
mod below_node;
mod cstring;
mod diagnostics;
mod enums;
mod feature;
mod input;
mod item;
mod krate;
mod multiarch;
mod names;
mod next_nodes;
mod node;
mod node_errors;
mod plugin;
mod signature;
#[cfg(test)]
mod tests;
mod trace;
mod wrap;

use proc_macro::TokenStream;

/// Makes a plugin of a crate: on `fn init(vm: &mut MainBarrier) -> Result<()>`, which VPP calls when it has loaded the
/// plugin. A crate has one. Name and version are those in Cargo.toml.
///
/// | argument | default | |
/// |---|---|---|
/// | `description = ".."` | the one in Cargo.toml | what `show plugins` prints |
/// | `default_disabled` | enabled | VPP loads the plugin only if its configuration says so |
/// | `overrides = ["x_plugin.so"]` | none | plugins that VPP does not load beside this one |
/// | `releases = ["26.02", "26.06"]` | all supported | the releases of VPP that the plugin is loaded in; a development line only if it is named, like `"26.10-rc0"` |
/// | `crate = path` | `::vppkit` | where the runtime crate is |
#[proc_macro_attribute]
pub fn vlib_plugin(args: TokenStream, item: TokenStream) -> TokenStream {
    plugin::vlib_plugin(args.into(), item.into()).into()
}

/// Makes a node of a function: on
/// `fn my_node(node: &mut NodeContext<my_node>, packet: &mut Packet) -> Verdict<my_node>`. The node's type has the
/// function's own name.
///
/// | argument | default | |
/// |---|---|---|
/// | `name = ".."` | required | the node's name in the graph |
/// | `next = Next` | no next nodes | an enum with `#[derive(NextNodes)]` |
/// | `errors = Error` | no counters | an enum with `#[derive(NodeErrors)]` |
/// | `trace = Seen` | no trace | a struct with `#[derive(Trace)]` |
/// | `crate = path` | `::vppkit` | where the runtime crate is |
///
/// A registration is in a linker section of its own, which the lint `unsafe_code` counts as unsafe. The expansion
/// allows it, so `#![deny(unsafe_code)]` holds for the author's code; under `forbid` nothing may allow it.
#[proc_macro_attribute]
pub fn vlib_node(args: TokenStream, item: TokenStream) -> TokenStream {
    node::vlib_node(args.into(), item.into()).into()
}

/// Puts a node onto a feature arc: below `#[vlib_node(..)]`, once for each arc.
///
/// | argument | default | |
/// |---|---|---|
/// | `arc = ".."` | required | the feature arc, for example `ip4-unicast` |
/// | `before = ["..", ..]` | none | features that come later on the arc |
/// | `after = ["..", ..]` | none | features that come earlier |
#[proc_macro_attribute]
pub fn vnet_feature(args: TokenStream, item: TokenStream) -> TokenStream {
    below_node::misplaced(feature::ATTRIBUTE, feature::DOES, args.into(), item.into()).into()
}

/// Compiles a node once more for each of these instruction sets: below `#[vlib_node(..)]`.
///
/// `#[multiarch(icl, skx, neon)]` takes VPP's names, of any supported release and architecture: `scalar`, `x86_64_v3`,
/// `x86_64_v4`, `hsw`, `trm`, `skx`, `icl`, `adl`, `spr`, `znver3`, `znver4`, `znver5`, `neon`, `octeontx2`, `thunderx2t99`,
/// `cortexa72`, `neoversen1`, `neoversen2`, `neoversev2`. Those of another architecture are no error and compile to nothing.
/// The node's own function is always there, too. When the plugin is loaded, each variant that the running VPP has gets the
/// best clone for it that this processor can run.
#[proc_macro_attribute]
pub fn multiarch(args: TokenStream, item: TokenStream) -> TokenStream {
    below_node::misplaced(multiarch::ATTRIBUTE, multiarch::DOES, args.into(), item.into()).into()
}

/// Names the next nodes of a node: on an enum of unit variants.
///
/// | attribute | on | |
/// |---|---|---|
/// | `#[next_node("..")]` | each variant, required | the node's name in the graph |
/// | `#[vppkit(crate = path)]` | the enum | where the runtime crate is |
#[proc_macro_derive(NextNodes, attributes(next_node, vppkit))]
pub fn next_nodes(input: TokenStream) -> TokenStream {
    next_nodes::next_nodes(input.into()).into()
}

/// Names the error counters of a node: on an enum of unit variants.
///
/// | attribute | on | |
/// |---|---|---|
/// | `/// ..` | each variant, required | what `show errors` prints |
/// | `#[error(severity = info)]` | a variant | `info`, `warn` or `error`, which is the default |
/// | `#[error(name = "..")]` | a variant | the counter's name; default: the variant's in snake case |
/// | `#[vppkit(crate = path)]` | the enum | where the runtime crate is |
#[proc_macro_derive(NodeErrors, attributes(error, vppkit))]
pub fn node_errors(input: TokenStream) -> TokenStream {
    node_errors::node_errors(input.into()).into()
}

/// Makes a trace record of a struct of plain values. The author derives `Clone` and `Copy`, and writes `Display`
/// or a format.
///
/// | attribute | on | |
/// |---|---|---|
/// | `#[trace("{source} -> {destination}")]` | the struct | writes `Display`; fields by name, or by number as `{0}` |
/// | `#[vppkit(crate = path)]` | the struct | where the runtime crate is |
#[proc_macro_derive(Trace, attributes(trace, vppkit))]
pub fn trace(input: TokenStream) -> TokenStream {
    trace::trace(input.into()).into()
}
