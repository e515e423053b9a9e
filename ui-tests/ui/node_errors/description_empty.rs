//! `show errors` prints a description.

use vppkit::prelude::*;

#[derive(NodeErrors)]
enum Error {
    ///
    Short,
}

fn main() {}
