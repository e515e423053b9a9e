//! A feature is a node.

use vppkit::prelude::*;

#[vnet_feature(arc = "ip4-unicast")]
fn f() {}

fn main() {}
