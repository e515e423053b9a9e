//! A plugin that refuses to load: two of its nodes have one name.

use vppkit::prelude::*;

/// Is never called.
#[vlib_plugin]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// The first of two.
#[vlib_node(name = "twice")]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn one(_node: &mut NodeContext<one>, _packet: &mut Packet) -> Verdict<one> {
    Verdict::NextFeature
}

/// The second of two.
#[vlib_node(name = "twice")]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn two(_node: &mut NodeContext<two>, _packet: &mut Packet) -> Verdict<two> {
    Verdict::NextFeature
}
