//! Nothing is in scope but what is named, and the names that an expansion could lean on mean something else.

#![no_implicit_prelude]
#![deny(unsafe_code)]
#![allow(non_camel_case_types, dead_code, unused_macros, reason = "the shadows are there to be in the way")]

/// Names that mean something else.
mod core {}
mod std {}
mod vppkit {}
struct u16;
struct u32;
struct bool;
struct str;
struct Option;
struct Result;
struct Ok;
struct Some;
struct Self_;
trait Trace {}
trait Node {}
macro_rules! write {
    ($($t:tt)*) => {
        compile_error!("shadowed")
    };
}
macro_rules! env {
    ($($t:tt)*) => {
        compile_error!("shadowed")
    };
}
macro_rules! concat {
    ($($t:tt)*) => {
        compile_error!("shadowed")
    };
}

use ::core::clone::Clone;
use ::core::marker::Copy;
use ::vppkit::{MainBarrier, NodeContext, Packet, Verdict};

/// Its name is one that the expansion uses too.
#[::vppkit::vlib_plugin]
pub fn load(_vm: &mut MainBarrier) -> ::vppkit::Result<()> {
    ::core::result::Result::Ok(())
}

/// Variants with raw and shadowed names.
#[derive(::vppkit::NextNodes)]
pub enum Next {
    /// A word of Rust.
    #[next_node("ip4-lookup")]
    r#Match,
    /// A name of the prelude.
    #[next_node("error-punt")]
    None,
}

/// The same for errors.
#[derive(::vppkit::NodeErrors)]
pub enum Error {
    /// packets that match
    r#Match,
    /// none of the others
    #[error(severity = warn)]
    None,
}

/// Fields with the names that `Display` uses.
#[derive(::vppkit::Trace, Clone, Copy)]
#[trace("{f} {match} {self_} {f:>4}")]
pub struct Seen {
    f: ::core::primitive::u8,
    r#match: ::core::primitive::u8,
    self_: ::core::primitive::u8,
}

/// A tuple.
#[derive(::vppkit::Trace, Clone, Copy)]
#[trace("{1} {0:?} {1:x}")]
pub struct Pair([::core::primitive::u8; 4], ::core::primitive::u16);

/// A raw name.
#[::vppkit::vlib_node(name = "match", next = Next, errors = Error, trace = Seen)]
#[::vppkit::vnet_feature(arc = "ip4-unicast")]
pub fn r#match(node: &mut NodeContext<r#match>, packet: &mut Packet) -> Verdict<r#match> {
    node.trace(packet, || Seen { f: 0, r#match: 1, self_: 2 });
    Verdict::NextFeature
}

/// The name of a parameter in the expansion.
#[::vppkit::vlib_node(name = "node", next = Next)]
pub fn node(_: &mut NodeContext<node>, _: &mut Packet<'_>) -> Next {
    Next::None
}

/// The other one.
#[::vppkit::vlib_node(name = "packet", next = Next)]
pub fn packet(node: &mut NodeContext<'_, packet>, _packet: &mut Packet) -> Next {
    let _ = node.thread_index();
    Next::None
}

/// A node inside a function, and one of a macro.
pub fn function() {
    #[::vppkit::vlib_node(name = "inside", next = Next)]
    fn inside(_node: &mut NodeContext<inside>, _packet: &mut Packet) -> Next {
        Next::r#Match
    }
}

macro_rules! node {
    ($function:ident, $name:literal, $next:ty, $output:ty, $value:expr) => {
        /// Written by a macro.
        #[::vppkit::vlib_node(name = $name, next = $next)]
        #[::vppkit::vnet_feature(arc = "ip6-unicast", before = ["ip6-lookup"])]
        #[::vppkit::vnet_feature(arc = "ip6-output", after = ["ipsec6-output-feature"])]
        pub fn $function(_node: &mut NodeContext<$function>, _packet: &mut Packet) -> $output {
            $value
        }
    };
}

node!(by_macro, "by-macro", Next, Verdict<by_macro>, Verdict::NextFeature);
node!(by_macro_again, "by-macro-again", Next, Next, Next::None);

/// Left out as a whole, the type and the registration too.
#[::vppkit::vlib_node(name = "never")]
#[cfg(any())]
pub fn never(node: &mut NodeContext<never>, packet: &mut Packet) -> NoSuchType {}
