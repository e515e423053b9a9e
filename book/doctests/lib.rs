//! The short listings of the guide, compiled and run as documentation tests. The long ones are crates of their own in
//! `listings/`. `tests/chapters.rs` checks that every chapter is here.

/// One module for each chapter, which exists for `cargo test --doc` only.
macro_rules! chapters {
    ($($name:ident: $path:literal;)*) => { $(
        #[cfg(doctest)]
        #[doc = include_str!(concat!("../src/", $path))]
        mod $name {}
    )* };
}

chapters! {
    introduction: "introduction.md";
    you_know_vpp: "you-know-vpp.md";
    you_know_rust: "you-know-rust.md";
    node: "node.md";
    first_plugin: "first-plugin.md";
    attributes: "attributes.md";
    vlib_plugin: "attributes/vlib_plugin.md";
    vlib_node: "attributes/vlib_node.md";
    vnet_feature: "attributes/vnet_feature.md";
    multiarch: "attributes/multiarch.md";
    next_nodes: "attributes/next_nodes.md";
    node_errors: "attributes/node_errors.md";
    trace: "attributes/trace.md";
    packets: "packets.md";
    testing: "testing.md";
    guarantees: "guarantees.md";
    releases: "releases.md";
    troubleshooting: "troubleshooting.md";
}
