//! Frames of 256 buffers, and that enqueueing does what a naive model does.

mod common;

use std::cell::{Cell, RefCell};

use common::{Call, feature, host, node, udp};
use proptest::prelude::*;
use vppkit_host::{Sanitizer, releases};

thread_local! {
    static NEXTS: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
    static SIZES: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    static SINGLY: Cell<bool> = const { Cell::new(false) };
}

const SINKS: [&str; 3] = ["ip4-lookup", "ip4-rewrite", "interface-output"];

/// Sends each packet where `NEXTS` says, by the index that it has in the input.
fn spread(c: &Call) {
    NEXTS.with_borrow_mut(|all| {
        let nexts: Vec<u16> = all.drain(..c.indices().len()).collect();
        if SINGLY.get() {
            // As C nodes with one frame per next do: get, append, put.
            for (i, next) in c.indices().into_iter().zip(nexts) {
                let frame = c.get_frame(u32::from(next));
                // SAFETY: the frame has room for one more.
                unsafe {
                    let n = usize::from((*frame).n_vectors);
                    let at = frame.cast::<u8>().add((*frame).vector_offset as usize).cast::<u32>();
                    at.add(n).write(i);
                    c.put_frame(u32::from(next), (256 - n - 1) as u32);
                }
            }
        } else {
            c.enqueue(&c.indices(), &nexts);
        }
    });
}

fn run(nexts: &[u16], singly: bool, release: &str, sanitizer: Sanitizer) -> vppkit_host::Report {
    NEXTS.set(nexts.to_vec());
    SINGLY.set(singly);
    let nodes = vec![node("spread", &SINKS, spread)];
    host(nodes, vec![feature("ip4-unicast", "spread", &[], &[])])
        .vpp(release)
        .sanitizer(sanitizer)
        .inject(udp(nexts.len()))
        .run()
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_packet_gets_where_it_was_sent_in_order(
        nexts in proptest::collection::vec(0_u16..3, 0..900),
        singly: bool,
        watched: bool,
    ) {
        let sanitizer = if watched { Sanitizer::On } else { Sanitizer::Off };
        let report = run(&nexts, singly, "26.06", sanitizer);
        for (next, sink) in SINKS.into_iter().enumerate() {
            let expected: Vec<u64> =
                (0..nexts.len() as u64).filter(|&i| usize::from(nexts[i as usize]) == next).collect();
            let got: Vec<u64> = report.sink(sink).packets().iter().filter_map(|p| p.index()).collect();
            prop_assert_eq!(got, expected, "{}", sink);
            let sent = report.node("spread").unwrap().next.iter().find(|n| n.node == sink).unwrap().vectors;
            prop_assert_eq!(sent as usize, report.sink(sink).len());
        }
        prop_assert!(report.summary().adds_up());
    }
}

#[test]
fn all_lengths_around_a_frame() {
    for release in releases() {
        for n in [1, 2, 3, 255, 256, 257, 511, 512, 513] {
            let report = run(&vec![0; n], false, release, Sanitizer::On);
            assert_eq!(report.sink("ip4-lookup").len(), n);
            assert_eq!(report.node("spread").unwrap().calls as usize, n.div_ceil(256));
        }
    }
}

#[test]
fn two_nodes_that_send_to_one_share_its_frame() {
    // Packets of 10.0.0.x take one of two ways; the node where they meet sees one frame per turn.
    fn split(c: &Call) {
        let indices = c.indices();
        let nexts: Vec<u16> = indices.iter().map(|&i| u16::from(c.bytes(i)[15] % 2)).collect();
        c.enqueue(&indices, &nexts);
    }
    fn meet(c: &Call) {
        SIZES.with_borrow_mut(|s| s.push(c.indices().len()));
        c.enqueue_all(0);
    }
    SIZES.take();
    let nodes = vec![
        node("split", &["left", "right"], split),
        node("left", &["meet"], |c| c.enqueue_all(0)),
        node("right", &["meet"], |c| c.enqueue_all(0)),
        node("meet", &["ip4-lookup"], meet),
    ];
    let report = host(nodes, vec![feature("ip4-unicast", "split", &[], &[])]).inject(udp(512)).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 512);
    assert_eq!(SIZES.take(), [256, 256]);
}

#[test]
fn a_node_may_send_to_itself() {
    fn again(c: &Call) {
        let indices = c.indices();
        let nexts: Vec<u16> = indices
            .iter()
            .map(|&i| {
                let ttl = &mut c.bytes(i)[8];
                *ttl -= 16;
                u16::from(*ttl > 0)
            })
            .collect();
        c.enqueue(&indices, &nexts);
    }
    let nodes = vec![node("again", &["ip4-lookup", "again"], again)];
    let report = host(nodes, vec![feature("ip4-unicast", "again", &[], &[])]).inject(udp(300)).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 300);
    assert_eq!(report.node("again").unwrap().vectors, 4 * 300);
}

#[test]
fn traced_packets_set_the_flag_of_the_nodes_that_get_them() {
    use vppkit_sys::vlib::node::VLIB_NODE_FLAG_TRACE;
    fn look(c: &Call) {
        // SAFETY: the node's own runtime.
        let flag = unsafe { (*c.rt).flags } & VLIB_NODE_FLAG_TRACE != 0;
        SIZES.with_borrow_mut(|s| s.push(usize::from(flag)));
        c.next_feature();
    }
    SIZES.take();
    let nodes = vec![node("look", &["ip4-lookup"], look)];
    host(nodes, vec![feature("ip4-unicast", "look", &[], &[])]).trace(3).inject(udp(700)).run().unwrap();
    assert_eq!(SIZES.take(), [1, 0, 0]);
}
