//! A trace record holds something.

use vppkit::prelude::*;

#[derive(Trace, Clone, Copy)]
struct Seen;

fn main() {}
