//! Each refusal, by its words. Where the words land is tested in `ui-tests`, with a compiler.

use super::{errors, expand};

/// The source has exactly these errors, in this order: each contains the words.
#[track_caller]
fn refused(source: &str, expected: &[&str]) {
    let found = errors(expand(source));
    let same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, words)| found.contains(words));
    assert!(same, "expected {expected:#?}\nfound {found:#?}");
    for error in &found {
        assert!(error.contains("\nhelp: "), "an error without help: {error}");
    }
}

const NODE: &str = "fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> Next {}";
const INIT: &str = "fn init(vm: &mut MainBarrier) -> Result<()> {}";

#[track_caller]
fn node(args: &str, expected: &[&str]) {
    refused(&format!("#[vlib_node({args})] {NODE}"), expected);
}

#[track_caller]
fn plugin(args: &str, expected: &[&str]) {
    refused(&format!("#[vlib_plugin({args})] {INIT}"), expected);
}

#[track_caller]
fn node_fn(function: &str, expected: &[&str]) {
    let all: Vec<&str> = [&["not the signature of a node's function"], expected].concat();
    refused(&format!("#[vlib_node(name = \"f\", next = Next)] {function}"), &all);
}

#[track_caller]
fn feature(args: &str, expected: &[&str]) {
    refused(&format!("#[vlib_node(name = \"f\")] #[vnet_feature({args})] {NODE}"), expected);
}

#[test]
fn the_grammar_of_arguments() {
    node("", &["`vlib_node` needs `name`"]);
    node("name", &["`name` needs a string literal\nhelp: write for example `name = \"my-node\"`"]);
    node("name =", &["`name` has no value"]);
    node("name = 5", &["`name` needs a string literal, found `5`"]);
    node("name = f", &["found `f`"]);
    node("name = c\"f\"", &["found `c\"f\"`"]);
    node("name = concat!(\"a\")", &["found `concat"]);
    node("name(\"f\")", &["`name` needs a string literal, after `=`"]);
    node("name: \"f\"", &["expected `=` after `name`"]);
    node("\"f\"", &["expected the name of an argument\nhelp: write `name = \"f\"`"]);
    node("name = \"f\", name = \"g\"", &["`name` is given twice"]);
    node("name = \"f\", next = A, next = B", &["`next` is given twice"]);
    node("nmae = \"f\"", &["`vlib_node` has no argument `nmae`\nhelp: did you mean `name = \"my-node\"`?"]);
    node("name = \"f\", instances = 5", &["its arguments are `name = \"my-node\"`, `next = Next`"]);
    node("name = \"f\" next = Next", &["expected a comma"]);
    node("name = \"f\",, next = Next", &["no argument before this comma"]);
    node("name = \"f\", next = \"Next\"", &["`next` needs a type, found `\"Next\"`"]);
    node("name = \"f\", next", &["`next` needs a type"]);
    node("name = \"f\", next = -", &["no value for `next`"]);
    node("name = \"f\", crate = \"vk\"", &["the path of a crate, without quotes"]);
    node("name = \"f\", crate = vk<u8>", &["the path of a crate"]);
    node("name = \"f\"x", &["has no suffix"]);
    plugin("default_disabled = true", &["`default_disabled` takes no value"]);
    plugin("descripton = \"x\"", &["did you mean `description"]);
    plugin("overrides = \"ping_plugin.so\"", &["write `overrides = [\"ping_plugin.so\"]`"]);
    plugin("overrides = [ping]", &["a list of string literals, found `ping`"]);
    plugin("overrides = [\"a_plugin.so\" \"b_plugin.so\"]", &["no comma after \"a_plugin.so\""]);
}

#[test]
fn several_mistakes_at_once() {
    node(
        "name = 5, nxet = Next, errors = [Error], name = \"f\"",
        &["`name` is given twice", "found `5`", "`errors` needs a type", "no argument `nxet`"],
    );
}

#[test]
fn names_of_nodes() {
    node("name = \"\"", &["cannot be empty"]);
    node("name = \"a b\"", &["cannot have a space"]);
    node(
        &format!("name = \"{}\"", "x".repeat(65)),
        &["room for 64 bytes in VPP's statistics, this one has 65"],
    );
}

#[test]
fn a_node_is_a_function() {
    refused("#[vlib_node(name = \"f\")] struct F;", &["found a struct"]);
    refused("#[vlib_node(name = \"f\")] pub enum F {}", &["found an enum"]);
    refused("#[vlib_node(name = \"f\")] fn f();", &["a function without one"]);
    refused("#[vlib_node(nam = \"f\")] const F: u32 = 1;", &["no argument `nam`", "found something else"]);
    refused("#[vlib_plugin] mod m {}", &["found a module"]);
}

#[test]
fn the_signature_of_a_node() {
    node_fn("fn f() -> Next {}", &["`node` is missing", "`packet` is missing"]);
    node_fn("fn f(node: &mut NodeContext<f>) -> Next {}", &["`packet` is missing"]);
    node_fn(
        "fn f(node: &mut NodeContext<f>, packet: &mut Packet, n: u8) -> Next {}",
        &["takes two parameters\nhelp: remove `n: u8`"],
    );
    node_fn("fn f(node: &mut NodeContext<f>, packet: &mut Packet) {}", &["write `-> Next`"]);
    node_fn("fn f(node: &mut NodeContext, packet: &mut Packet) -> Next {}", &["says whose context"]);
    node_fn("fn f(node: &mut NodeContext<g>, packet: &mut Packet) -> Next {}", &["found the context of `g`"]);
    node_fn("fn f(node: &mut NodeContext<f, g>, packet: &mut Packet) -> Next {}", &["takes one type"]);
    node_fn("fn f(node: &NodeContext<f>, packet: &mut Packet) -> Next {}", &["found `&NodeContext<f>`"]);
    node_fn(
        "fn f(node: NodeContext<f>, packet: Packet) -> Next {}",
        &["found `NodeContext<f>`", "found `Packet`"],
    );
    node_fn("fn f(node: &mut Context<f>, packet: &mut Packet) -> Next {}", &["found `&mut Context<f>`"]);
    node_fn("fn f(node: &mut NodeContext<f>, packet: &mut Buffer) -> Next {}", &["found `&mut Buffer`"]);
    node_fn(
        "const unsafe extern \"C\" fn f<'a, T>(node: &mut NodeContext<f>, packet: &'a mut Packet<'a>) -> Next where T: Copy {}",
        &["compile time", "is safe", "Rust function", "remove `<'a, T>`", "`where`", "no named lifetime"],
    );
    node_fn("async fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> Next {}", &["cannot be `async`"]);
    node_fn("fn f(&mut self, node: &mut NodeContext<f>, packet: &mut Packet) -> Next {}", &["is no method"]);
    node_fn(
        "fn f(node: &mut NodeContext<f>, packet: &mut Packet<'static>) -> Next {}",
        &["no named lifetime"],
    );
    node_fn("fn f(node: &mut NodeContext<'a, f>, packet: &mut Packet) -> Next {}", &["no named lifetime"]);
    for form in ["[Packet; 4]", "[Packet]", "Frame", "Input"] {
        let function = format!("fn f(node: &mut NodeContext<f>, packet: &mut {form}) -> Next {{}}");
        node_fn(&function, &["is not available yet"]);
    }
    refused(
        "#[vlib_node(name = \"f\")] fn __vppkit_f(node: &mut NodeContext<__vppkit_f>, packet: &mut Packet) -> Next {}",
        &["made by vppkit's macros"],
    );
    refused(
        &format!("#[vlib_node(name = \"f\")] #[target_feature(enable = \"avx2\")] {NODE}"),
        &["every processor"],
    );
}

#[test]
fn the_signature_that_is_shown_fits_the_arguments() {
    let shown = |args: &str, feature: &str, output: &str| {
        let source = format!("#[vlib_node(name = \"f\"{args})] {feature} fn f() -> u8 {{}}");
        let usage = format!("fn f(node: &mut NodeContext<f>, packet: &mut Packet) -> {output}`");
        refused(&source, &[&usage, "missing", "missing"]);
    };
    shown("", "", "Result<Next, Error>");
    shown(", next = a::Next", "", "a::Next");
    shown(", next = N, errors = E", "", "Result<N, E>");
    shown(", next = N", "#[vnet_feature(arc = \"a\")]", "Verdict<f>");
}

#[test]
fn features() {
    feature("", &["`vnet_feature` needs `arc`"]);
    feature("arc = \"ip4 unicast\"", &["the name of a feature arc cannot have a space"]);
    feature("arc = \"a\", befor = [\"b\"]", &["did you mean `before"]);
    feature("arc = \"a\", before = \"b\"", &["write `before = [\"b\"]`"]);
    feature("arc = \"a\", before = [\"b,c\"]", &["separates names by commas"]);
    feature("arc = \"a\", before = [\"b\", \"b\"]", &["is in the list twice"]);
    feature("arc = \"a\", before = [\"f\"]", &["cannot be before itself"]);
    feature("arc = \"a\", before = [\"b\"], after = [\"b\"]", &["both before and after `b`"]);
    let twice = format!(
        "#[vlib_node(name = \"f\")] #[vnet_feature(arc = \"a\")] #[v::vnet_feature(arc = \"a\")] {NODE}"
    );
    refused(&twice, &["on the arc `a` twice"]);
    refused(&format!("#[vlib_node(name = \"f\")] #[vnet_feature = \"a\"] {NODE}"), &["in parentheses"]);
    refused(&format!("#[vnet_feature(arc = \"a\")] {NODE}"), &["this function is no node"]);
    refused(&format!("#[vnet_feature(arc = \"a\")] #[vlib_node(name = \"f\")] {NODE}"), &["swap the two"]);
    refused("#[vnet_feature(arc = \"a\")] struct F;", &["found a struct"]);
}

#[test]
fn plugins() {
    plugin("description = \"\"", &["cannot be empty"]);
    plugin("description = \"a\\nb\"", &["a line break"]);
    plugin("overrides = [\"ping\"]", &["write \"ping_plugin.so\""]);
    let many: Vec<String> = (0..20).map(|i| format!("\"number_{i}_plugin.so\"")).collect();
    plugin(&format!("overrides = [{}]", many.join(", ")), &["room for 254 bytes of overrides"]);
    let signature = "not the signature of a plugin's init function";
    refused("#[vlib_plugin] fn init() -> Result<()> {}", &[signature, "`vm` is missing"]);
    refused("#[vlib_plugin] fn init(vm: &mut MainBarrier) {}", &[signature, "write `-> Result<()>`"]);
    refused(
        "#[vlib_plugin] async fn init(vm: &MainBarrier) -> X {}",
        &[signature, "`async`", "found `&MainBarrier`"],
    );
    refused("#[vlib_plugin] fn init<T>(vm: &mut MainBarrier) -> X {}", &[signature, "cannot be generic"]);
}

#[test]
fn enums_of_next_nodes() {
    let derive = |item: &str, expected: &[&str]| refused(&format!("#[derive(NextNodes)] {item}"), expected);
    derive("struct S;", &["`NextNodes` is for an enum, found a struct"]);
    derive("union U { a: u8 }", &["found a union"]);
    derive("enum E {}", &["leave `next` out"]);
    derive("enum E<T> { #[next_node(\"a\")] A(T) }", &["remove `<T>`"]);
    derive("enum E where u8: Copy { #[next_node(\"a\")] A }", &["found `where"]);
    derive("enum E { A }", &["`A` does not say which node"]);
    derive("enum E { #[next_node(\"a\")] A(u8) }", &["cannot hold anything"]);
    derive("enum E { #[next_node(\"a\")] A = 3 }", &["cannot have a number"]);
    derive("enum E { #[next_node(\"a\")] #[next_node(\"b\")] A }", &["a second `next_node`"]);
    derive("enum E { #[next_node(\"a\")] A, #[next_node(\"a\")] B }", &["`A` is the node `a` already"]);
    derive("enum E { #[next_node] A }", &["needs a string literal"]);
    derive("enum E { #[next_node = \"a\"] A }", &["write `#[next_node(\"a\")]`"]);
    derive("enum E { #[next_node(name = \"a\")] A }", &["write `#[next_node(\"a\")]`"]);
    derive("enum E { #[next_node()] A }", &["takes one string literal"]);
    derive("enum E { #[next_node(\"a b\")] A, #[next_node(\"\")] B }", &["a space", "empty"]);
    derive("#[next_node(\"a\")] enum E { #[next_node(\"a\")] A }", &["means nothing on the enum"]);
    derive("#[vppkit(krate = x)] enum E { #[next_node(\"a\")] A }", &["did you mean `crate"]);
    derive(
        "#[vppkit(crate = x)] #[vppkit(crate = y)] enum E { #[next_node(\"a\")] A }",
        &["`vppkit` is given twice"],
    );
}

#[test]
fn enums_of_errors() {
    let derive = |item: &str, expected: &[&str]| refused(&format!("#[derive(NodeErrors)] {item}"), expected);
    derive("enum E {}", &["leave `errors` out"]);
    derive("enum E { A }", &["no description"]);
    derive("enum E { #[doc(hidden)] A }", &["no description"]);
    derive("enum E { #[doc = include_str!(\"a\")] A }", &["write a `///` line"]);
    derive("enum E { /** a */ A { x: u8 } }", &["cannot hold anything"]);
    derive("enum E { /** a */ #[error(severity = inf)] A }", &["did you mean `severity = info`?"]);
    derive("enum E { /** a */ #[error(severity = fatal)] A }", &["write `info`, `warn` or `error`"]);
    derive("enum E { /** a */ #[error(severity = \"info\")] A }", &["a word, without quotes"]);
    derive("enum E { /** a */ #[error(sevrity = info)] A }", &["did you mean `severity"]);
    derive(
        "enum E { /** a */ #[error(name = \"a\")] #[error(severity = info)] A }",
        &["`error` is given twice"],
    );
    derive("enum E { /** a */ #[error(name = \"b\")] A, /** b */ B }", &["`A` has the name `b` already"]);
    derive("enum E { /** a */ Panic }", &["a counter `panic` of vppkit's own"]);
    derive("enum E { /** a */ Größe }", &["ASCII"]);
}

#[test]
fn structs_of_traces() {
    let derive = |item: &str, expected: &[&str]| refused(&format!("#[derive(Trace)] {item}"), expected);
    derive("enum E { A }", &["found an enum"]);
    derive("struct S;", &["holds nothing"]);
    derive("struct S<'a> { a: &'a u8 }", &["outlives the packet"]);
    derive("struct S<T> { a: T }", &["remove `<T>`"]);
    derive("#[trace(\"{b}\")] struct S { a: u8 }", &["no field `b`\nhelp: did you mean `{a}`?"]);
    derive("#[trace(\"{1}\")] struct S(u8);", &["no field `1`"]);
    derive("#[trace(\"{}\")] struct S { a: u8, b: u8 }", &["write `{a}` or `{b}`"]);
    derive("#[trace(\"{a\")] struct S { a: u8 }", &["not closed"]);
    derive("#[trace(\"a}\")] struct S { a: u8 }", &["not opened"]);
    derive("#[trace = \"{a}\"] struct S { a: u8 }", &["write `#[trace(\"{a}\")]`"]);
    derive("#[trace(\"a\")] #[trace(\"b\")] struct S { a: u8 }", &["`trace` is given twice"]);
    derive("struct S { #[trace(\"a\")] a: u8 }", &["means nothing on a field"]);
}

/// The author's item is still there, so that one mistake gives one error.
#[test]
fn the_item_survives() {
    for source in [
        format!("#[vlib_node(name = 5)] {NODE}"),
        format!("#[vlib_plugin(name = 5)] {INIT}"),
        format!("#[vnet_feature] {NODE}"),
    ] {
        let expansion = expand(&source).to_string();
        assert!(expansion.contains("fn f") || expansion.contains("fn init"), "{expansion}");
    }
    let with_type = expand(&format!("#[vlib_node] {NODE}")).to_string();
    assert!(with_type.contains("enum f { }") && with_type.contains("Node for f"), "{with_type}");
}
