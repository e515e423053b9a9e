//! A plugin with one node that lets every packet pass.

use vppkit::prelude::*;

/// Called once, when VPP has loaded the plugin.
#[vlib_plugin(description = "Drop IPv4 packets with a low TTL")]
fn init(_vm: &mut MainBarrier) -> Result<()> {
    Ok(())
}

/// Lets every packet pass.
#[vlib_node(name = "min-ttl")]
#[vnet_feature(arc = "ip4-unicast", before = ["ip4-lookup"])]
pub fn min_ttl(_node: &mut NodeContext<min_ttl>, _packet: &mut Packet) -> Verdict<min_ttl> {
    Verdict::NextFeature
}
