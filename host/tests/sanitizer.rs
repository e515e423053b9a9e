//! Each rule that VPP leaves to discipline, and a node that breaks it.

mod common;

use common::{Call, feature, forget_to_withdraw, host, misbehave, node, only, udp, violations};
use vppkit_host::{Host, HostError, Sanitizer, ViolationKind as Kind};

#[test]
fn a_good_node_breaks_none() {
    let nodes = vec![node("good", &["ip4-lookup"], |c| c.next_feature())];
    let report = host(nodes, vec![feature("ip4-unicast", "good", &[], &[])]).inject(udp(1000)).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 1000);
    assert!(report.summary().adds_up());
    assert_eq!(report.node("good").unwrap().vectors, 1000);
}

#[test]
fn a_buffer_that_is_kept_is_a_leak() {
    let report = misbehave(|c| c.enqueue(&c.indices()[1..], &[0, 0, 0]), 4);
    let message = only(report.violations(), Kind::Leak);
    assert!(message.starts_with("kept 1 buffer that it neither enqueued nor freed"), "{message}");
    assert!(report.summary().adds_up(), "{:?}", report.summary());
    assert_eq!(report.summary().lost[0].packets, 1);
}

#[test]
fn a_buffer_that_is_kept_for_later_is_no_leak() {
    thread_local! { static KEPT: std::cell::RefCell<Vec<u32>> = const { std::cell::RefCell::new(Vec::new()) }; }
    fn delay(c: &Call) {
        let before = KEPT.replace(c.indices());
        c.enqueue(&before, &vec![0; before.len()]);
        if c.indices().len() < 256 {
            let rest = KEPT.take();
            c.enqueue(&rest, &vec![0; rest.len()]);
        }
    }
    let nodes = vec![node("delay", &["ip4-lookup"], delay)];
    let report = host(nodes, vec![feature("ip4-unicast", "delay", &[], &[])]).inject(udp(600)).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 600);
}

#[test]
fn freeing_twice() {
    let message = only(
        &violations(|c| {
            for i in c.indices() {
                c.free(i);
            }
            c.free(c.indices()[0]);
        }),
        Kind::DoubleFree,
    );
    assert!(message.contains("which `culprit` had freed before"), "{message}");
}

#[test]
fn freeing_what_was_handed_on() {
    let message = only(
        &violations(|c| {
            c.enqueue_all(0);
            c.free(c.indices()[2]);
        }),
        Kind::FreedInFlight,
    );
    assert!(message.contains("handed it on to `ip4-lookup`"), "{message}");
}

#[test]
fn enqueueing_twice() {
    let report = misbehave(
        |c| {
            c.enqueue_all(0);
            c.enqueue(&c.indices()[..1], &[1]);
        },
        4,
    );
    let message = only(report.violations(), Kind::DoubleEnqueue);
    assert!(message.contains("to `error-drop`, which was already on its way to `ip4-lookup`"), "{message}");
    assert_eq!(report.sink("ip4-lookup").len(), 4);
    assert!(report.summary().adds_up());
}

#[test]
fn enqueueing_what_was_freed() {
    let v = violations(|c| {
        c.free(c.indices()[0]);
        c.enqueue_all(0);
    });
    let message = only(&v, Kind::EnqueuedFree);
    assert!(message.contains("freed by `culprit`"), "{message}");
}

#[test]
fn an_index_that_is_no_buffer() {
    let v = violations(|c| {
        c.enqueue_all(0);
        c.enqueue(&[0, 1, 0xffff_ffff, c.indices()[0] + 1], &[0; 4]);
    });
    only(&v, Kind::NoBuffer);
    assert_eq!(v[0].count, 4);
}

#[test]
fn a_next_that_does_not_exist() {
    let report = misbehave(|c| c.enqueue_all(7), 4);
    let message = only(report.violations(), Kind::NoNext);
    assert!(message.contains("to next index 7; the node has 2 next nodes"), "{message}");
    assert_eq!(report.summary().lost[0].packets, 4);
    assert!(report.summary().adds_up());
}

#[test]
fn writing_behind_the_room() {
    let message = only(
        &violations(|c| {
            let b = c.buffer(c.indices()[0]).cast::<u8>();
            // SAFETY: behind the data there is a canary, then the next buffer.
            unsafe { b.add(256 + 2048 + 9).write(1) };
            c.enqueue_all(0);
        }),
        Kind::Overrun,
    );
    assert!(message.starts_with("wrote at least 10 bytes behind the room"), "{message}");
}

#[test]
fn changing_what_was_handed_on() {
    let message = only(
        &violations(|c| {
            c.enqueue_all(0);
            c.bytes(c.indices()[3])[0] ^= 1;
        }),
        Kind::UseAfterEnqueue,
    );
    assert!(message.contains("before `ip4-lookup` ran"), "{message}");
    only(
        &violations(|c| {
            c.enqueue_all(0);
            // SAFETY: a buffer.
            unsafe { (*c.buffer(c.indices()[0])).error = 3 };
        }),
        Kind::UseAfterEnqueue,
    );
}

#[test]
fn marking_as_traced_after_handing_on_is_what_input_nodes_do() {
    let nodes = vec![node("late", &["ip4-lookup"], |c| {
        c.enqueue_all(0);
        // SAFETY: a buffer.
        unsafe { (*c.buffer(c.indices()[0])).trace_handle = 77 };
    })];
    host(nodes, vec![feature("ip4-unicast", "late", &[], &[])]).inject(udp(4)).run().unwrap();
}

#[test]
fn changing_what_was_freed() {
    let nodes = vec![node("culprit", &["ip4-lookup"], |c| {
        for i in c.indices() {
            c.free(i);
            c.bytes(i);
            // SAFETY: the buffer's memory stays mapped.
            unsafe { c.buffer(i).cast::<u8>().add(256).write(9) };
        }
    })];
    let error =
        host(nodes, vec![feature("ip4-unicast", "culprit", &[], &[])]).inject(udp(600)).run().unwrap_err();
    only(error.report().unwrap().violations(), Kind::UseAfterFree);
}

#[test]
fn a_packet_outside_of_its_buffer() {
    let message = only(
        &violations(|c| {
            // SAFETY: a buffer.
            unsafe { (*c.buffer(c.indices()[0])).current_length = 2049 };
            c.enqueue_all(0);
        }),
        Kind::Bounds,
    );
    assert!(message.contains("current_length 2049"), "{message}");
    only(
        &violations(|c| {
            // SAFETY: a buffer.
            unsafe { (*c.buffer(c.indices()[0])).current_data = -129 };
            c.enqueue_all(0);
        }),
        Kind::Bounds,
    );
}

#[test]
fn a_chain_that_goes_nowhere_or_nowhere_ends() {
    only(
        &violations(|c| {
            c.chain(c.indices()[0], 5);
            c.enqueue_all(0);
        }),
        Kind::NoBuffer,
    );
    only(
        &violations(|c| {
            c.chain(c.indices()[0], c.indices()[0]);
            c.enqueue_all(0);
        }),
        Kind::NoBuffer,
    );
}

#[test]
fn a_position_that_the_arc_does_not_have() {
    for release in vppkit_host::releases() {
        let nodes = vec![
            node("culprit", &["second"], |c| {
                for i in c.indices() {
                    // SAFETY: a buffer.
                    unsafe { (*c.buffer(i)).current_config_index = 10_000 };
                }
                c.enqueue_all(0);
            }),
            node("second", &[], |c| c.next_feature()),
        ];
        let features = vec![
            feature("ip4-unicast", "culprit", &["second"], &[]),
            feature("ip4-unicast", "second", &[], &[]),
        ];
        let error = host(nodes, features).vpp(release).inject(udp(4)).run().unwrap_err();
        only(error.report().unwrap().violations(), Kind::FeaturePosition);
    }
}

/// Runs nodes in each release. The only violation must name the sender and the feature.
fn off_the_arc(nodes: fn() -> Vec<common::Node>, features: fn() -> Vec<common::Feature>) {
    for release in vppkit_host::releases() {
        let error = host(nodes(), features()).vpp(release).inject(udp(4)).run().expect_err(release);
        let report = error.report().unwrap_or_else(|| panic!("{release}: {error}"));
        let message = only(report.violations(), Kind::FeaturePosition);
        assert!(message.contains("to `second`, a feature of arc `ip4-unicast`, off the arc"), "{message}");
        assert_eq!(report.violations()[0].count, 4);
        assert_eq!(report.node("null-node").unwrap().vectors, 0, "{release}");
        assert_eq!(report.summary().lost[0].node, "culprit");
        assert!(report.summary().adds_up());
    }
}

fn second() -> common::Node {
    node("second", &["error-drop"], |c| c.next_feature())
}

#[test]
fn a_feature_that_sends_to_the_next_by_name() {
    off_the_arc(
        || vec![node("culprit", &["second"], |c| c.enqueue_all(0)), second()],
        || {
            vec![
                feature("ip4-unicast", "culprit", &["second"], &[]),
                feature("ip4-unicast", "second", &[], &[]),
            ]
        },
    );
}

#[test]
fn a_node_of_another_arc_that_sends_to_a_feature() {
    off_the_arc(
        || vec![node("culprit", &["second"], |c| c.enqueue_all(0)), second()],
        || {
            vec![
                feature("device-input", "culprit", &["ethernet-input"], &[]),
                feature("ip4-unicast", "second", &[], &[]),
            ]
        },
    );
}

#[test]
fn a_node_off_all_arcs_that_sends_to_a_feature() {
    off_the_arc(
        || {
            vec![
                node("first", &["culprit"], |c| c.enqueue_all(0)),
                node("culprit", &["second"], |c| c.enqueue_all(0)),
                second(),
            ]
        },
        || {
            vec![
                feature("ip4-unicast", "first", &["second"], &[]),
                feature("ip4-unicast", "second", &[], &[]),
            ]
        },
    );
}

#[test]
fn a_feature_that_no_interface_has() {
    for release in vppkit_host::releases() {
        let nodes = vec![node("culprit", &["second"], |c| c.enqueue_all(0)), second()];
        let features = vec![
            feature("ip4-unicast", "culprit", &["second"], &[]),
            feature("ip4-unicast", "second", &[], &[]),
        ];
        let error = host(nodes, features)
            .vpp(release)
            .no_auto_enable()
            .enable_feature("ip4-unicast", "culprit")
            .inject(udp(4))
            .run()
            .unwrap_err();
        only(error.report().unwrap().violations(), Kind::FeaturePosition);
    }
}

#[test]
fn more_vectors_than_a_frame_has() {
    let v = violations(|c| {
        let frame = c.get_frame(0);
        // SAFETY: the frame has four slots behind its 256.
        unsafe {
            let at = frame.cast::<u8>().add((*frame).vector_offset as usize).cast::<u32>();
            for (i, index) in c.indices().into_iter().enumerate() {
                at.add(i).write(index);
            }
            at.add(260).write(7);
        }
        c.put_frame(0, 256 - 4);
    });
    let message = only(&v, Kind::FrameOverrun);
    assert_eq!(message, "wrote behind the 256 vectors of a frame");
    let v = violations(|c| {
        c.enqueue_all(1);
        c.get_frame(0);
        c.put_frame(0, 257);
    });
    only(&v, Kind::FrameOverrun);
}

#[test]
fn writing_behind_the_runtime_data() {
    only(
        &violations(|c| {
            // SAFETY: the next runtime follows, or room that the host keeps.
            unsafe { (&raw mut (*c.rt).runtime_data).cast::<u64>().add(7).write(0xdead) };
            c.enqueue_all(0);
        }),
        Kind::RuntimeData,
    );
}

#[test]
fn a_trace_record_that_is_too_long() {
    let message = only(
        &violations(|c| {
            let record = c.add_trace(c.indices()[0], 2033);
            // SAFETY: the host gives room, where VPP would not.
            unsafe { record.write_bytes(1, 2033) };
            c.enqueue_all(0);
        }),
        Kind::TraceRecord,
    );
    assert!(message.contains("2033 bytes; VPP has room for 2032"), "{message}");
}

#[test]
fn registrations_that_are_left_behind() {
    let nodes = vec![node("a-node", &["ip4-lookup"], |c| c.enqueue_all(0))];
    let host = host(nodes, vec![feature("ip4-unicast", "a-node", &[], &[])]).inject(udp(1));
    forget_to_withdraw();
    let HostError::Violations { report } = host.run().unwrap_err() else { panic!() };
    let left: Vec<_> = report.violations().iter().map(|v| (v.kind, v.node.as_str())).collect();
    assert_eq!(left, [(Kind::LeftBehind, "test-plugin"), (Kind::LeftBehind, "test-plugin")]);
    // The next host starts with empty lists.
    assert_eq!(Host::new().inject(udp(1)).run().unwrap().sink("ip4-lookup").len(), 1);
}

#[test]
fn a_node_that_keeps_everything_uses_the_buffers_up() {
    let nodes = vec![node("hoarder", &["ip4-lookup"], |_| ())];
    let error = host(nodes, vec![feature("ip4-unicast", "hoarder", &[], &[])])
        .buffers(512)
        .inject(udp(1000))
        .run()
        .unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("all 512 buffers are in use, 512 of them by `hoarder`"), "{message}");
}

#[test]
fn copies_and_merges_are_counted() {
    let nodes = vec![node("copier", &["ip4-lookup"], |c| {
        for i in c.indices() {
            let copy = c.alloc();
            // SAFETY: both are buffers.
            unsafe { c.buffer(copy).cast::<u8>().copy_from(c.buffer(i).cast(), 256 + 2048) };
            c.enqueue(&[i, copy], &[0, 0]);
        }
    })];
    let report = host(nodes, vec![feature("ip4-unicast", "copier", &[], &[])]).inject(udp(10)).run().unwrap();
    assert_eq!((report.summary().read, report.summary().created), (10, 10));
    assert_eq!(report.sink("ip4-lookup").len(), 20);
    assert!(report.summary().adds_up());
    let made = report.sink("ip4-lookup").packets().iter().filter(|p| p.index().is_none()).count();
    assert_eq!(made, 10);

    let nodes = vec![node("merger", &["ip4-lookup"], |c| {
        let indices = c.indices();
        c.chain(indices[0], indices[1]);
        c.enqueue(&[indices[0]], &[0]);
    })];
    let report = host(nodes, vec![feature("ip4-unicast", "merger", &[], &[])]).inject(udp(2)).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 1);
    assert_eq!(report.summary().freed[0].packets, 1);
    assert!(report.summary().adds_up(), "{:?}", report.summary());
}

#[test]
fn nodes_that_free_are_named_in_the_summary() {
    let nodes = vec![node("eater", &[], |c| {
        for i in c.indices() {
            c.free(i);
        }
    })];
    let report = host(nodes, vec![feature("ip4-unicast", "eater", &[], &[])]).inject(udp(300)).run().unwrap();
    assert_eq!(report.summary().freed.len(), 1);
    assert_eq!((report.summary().freed[0].node.as_str(), report.summary().freed[0].packets), ("eater", 300));
}

#[test]
fn without_the_sanitizer_the_sums_still_hold() {
    let nodes = vec![node("eater", &["ip4-lookup"], |c| {
        let indices = c.indices();
        c.free(indices[0]);
        c.enqueue(&indices[1..], &vec![0; indices.len() - 1]);
    })];
    let report = host(nodes, vec![feature("ip4-unicast", "eater", &[], &[])])
        .sanitizer(Sanitizer::Off)
        .inject(udp(512))
        .run()
        .unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 510);
    assert!(report.summary().adds_up(), "{:?}", report.summary());
}
