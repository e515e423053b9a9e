//! Goldens: the expansion of one item of each kind, read by people as code. `VPPKIT_BLESS=1` writes them again.
//!
//! That they compile is tested in `ui-tests`, which has the runtime.

use std::path::Path;

use super::{errors, expand};

fn golden(name: &str, source: &str) {
    let expansion = expand(source);
    assert_eq!(errors(expansion.clone()), [] as [String; 0], "{name} has errors");
    let file = syn::parse2(expansion).expect("the expansion parses");
    let input: String = source.trim().lines().map(|line| format!("// {}\n", line.trim_end())).collect();
    let actual = format!("{input}// becomes:\n\n{}", prettyplease::unparse(&file));

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/output").join(name).with_extension("rs");
    if std::env::var_os("VPPKIT_BLESS").is_some() {
        std::fs::write(&path, &actual).expect("the golden can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "the expansion of {name} changed; VPPKIT_BLESS=1 accepts it:\n{}",
        difference(&expected, &actual)
    );
}

/// Both texts line by line, where they differ.
fn difference(expected: &str, actual: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_start;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let removed = old[same_start..old.len() - same_end].iter().map(|line| format!("-{line}\n"));
    let added = new[same_start..new.len() - same_end].iter().map(|line| format!("+{line}\n"));
    removed.chain(added).collect()
}

#[test]
fn plugin() {
    golden(
        "plugin",
        r#"
#[vlib_plugin(description = "Drop ICMP")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}
"#,
    );
}

#[test]
fn plugin_with_all_arguments() {
    golden(
        "plugin_full",
        r#"
#[vlib_plugin(default_disabled, overrides = ["ping_plugin.so", "acl_plugin.so"], crate = vk::reexport)]
#[cfg(feature = "plugin")]
pub fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}
"#,
    );
}

#[test]
fn node() {
    golden(
        "node",
        r#"
#[vlib_node(name = "count-packets", next = Next)]
fn count_packets(_node: &mut NodeContext<count_packets>, _packet: &mut Packet) -> Next {
    Next::Lookup
}
"#,
    );
}

#[test]
fn node_for_instruction_sets() {
    golden(
        "node_multiarch",
        r#"
#[vlib_node(name = "count-packets", next = Next)]
#[multiarch(hsw, skx, neon)]
fn count_packets(_node: &mut NodeContext<count_packets>, _packet: &mut Packet) -> Next {
    Next::Lookup
}
"#,
    );
}

#[test]
fn node_on_arcs() {
    golden(
        "node_on_arcs",
        r#"
#[vlib_node(name = "drop-icmp", next = Next, errors = Error, trace = Seen, crate = vk)]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
/// Drops ICMP.
#[vnet_feature(arc = "ip4-output", after = ["ipsec4-output-feature", "acl-plugin-out-ip4-fa"])]
#[inline]
pub fn drop_icmp(node: &mut NodeContext<drop_icmp>, packet: &mut Packet<'_>) -> Result<Verdict<drop_icmp>, Error> {
    node.trace(packet, || Seen { length: 20 });
    if packet.len() < 20 { Err(Error::Short) } else { Ok(Verdict::NextFeature) }
}
"#,
    );
}

#[test]
fn next_nodes() {
    golden(
        "next_nodes",
        r#"
#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
    #[next_node("GigabitEthernet0/8/0-output")]
    Output,
}
"#,
    );
}

#[test]
fn node_errors() {
    golden(
        "node_errors",
        r#"
#[derive(NodeErrors)]
enum Error {
    /// ICMP packets dropped
    #[error(severity = info)]
    Icmp,
    /// packets that are
    /// too short
    TooShort,
    /// packets without a route
    #[error(name = "no-fib", severity = warn)]
    NoFIB,
}
"#,
    );
}

#[test]
fn trace() {
    golden(
        "trace",
        r#"
#[derive(Trace)]
#[trace("{source} -> {destination:>15} {{protocol {protocol:#x}}}")]
struct Seen {
    source: Ipv4Addr,
    destination: Ipv4Addr,
    protocol: u8,
    hidden: [u8; 4],
}
"#,
    );
}

#[test]
fn trace_of_a_tuple() {
    golden(
        "trace_tuple",
        "#[derive(Trace)]\n#[trace(\"length {1}\")]\n#[vppkit(crate = vk)]\nstruct Seen(u8, u16);",
    );
}

#[test]
fn trace_with_display_of_the_author() {
    golden("trace_plain", "#[derive(Trace)]\nstruct Seen {\n    length: u16,\n}");
}
