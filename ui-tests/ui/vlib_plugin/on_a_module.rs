//! A plugin is made by a function.

use vppkit::prelude::*;

#[vlib_plugin]
mod plugin {}

fn main() {}
