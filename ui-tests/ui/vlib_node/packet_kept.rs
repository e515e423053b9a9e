//! A packet cannot be kept when its frame is gone.

use vppkit::prelude::*;

#[derive(NextNodes)]
enum Next {
    #[next_node("ip4-lookup")]
    Lookup,
}

#[vlib_node(name = "count-packets", next = Next)]
fn f(_node: &mut NodeContext<f>, packet: &mut Packet) -> Next {
    std::thread_local! {
        static KEPT: std::cell::Cell<&'static [u8]> = const { std::cell::Cell::new(&[]) };
    }
    KEPT.set(packet.data());
    Next::Lookup
}

fn main() {}
