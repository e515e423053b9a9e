//! Clones are made of nodes.

use vppkit::prelude::*;

#[multiarch(icl)]
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(byte)).sum()
}

fn main() {
    checksum(&[1, 2]);
}
