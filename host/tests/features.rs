//! Feature arcs: their order, where packets go, and what is told about constraints that cannot hold.

mod common;

use common::{Call, Feature, Node, feature, host, node, udp};
use vppkit_host::{GraphError, Host, HostError, Packets, releases};

fn pass(name: &'static str) -> Node {
    node(name, &["error-drop"], |c| {
        let indices = c.indices();
        for &i in &indices {
            c.add_trace(i, 4);
        }
        c.next_feature();
    })
}

/// Three features that must run in the order c, a, b.
fn three() -> (Vec<Node>, Vec<Feature>) {
    (
        vec![pass("a"), pass("b"), pass("c")],
        vec![
            feature("ip4-unicast", "a", &["b"], &[]),
            feature("ip4-unicast", "b", &[], &["c"]),
            feature("ip4-unicast", "c", &["a"], &[]),
        ],
    )
}

#[test]
fn features_run_in_the_order_of_their_constraints_in_every_release() {
    for release in releases() {
        let (nodes, features) = three();
        let report = host(nodes, features).vpp(release).trace(3).inject(udp(300)).run().unwrap();
        let path = ["pg-input", "ethernet-input", "ip4-input", "c", "a", "b", "ip4-lookup"];
        for trace in report.traces() {
            assert_eq!(trace.path(), path, "{release}");
        }
        assert_eq!(report.sink("ip4-lookup").len(), 300);
        let order: Vec<_> =
            report.features("ip4-unicast").iter().filter(|f| ["a", "b", "c"].contains(&f.as_str())).collect();
        assert_eq!(order, ["c", "a", "b"]);
        assert!(report.warnings().is_empty(), "{:?}", report.warnings());
    }
}

#[test]
fn only_the_features_that_are_asked_for() {
    let (nodes, features) = three();
    let report = host(nodes, features)
        .no_auto_enable()
        .enable_feature("ip4-unicast", "b")
        .inject(udp(10))
        .run()
        .unwrap();
    let vectors = |name: &str| report.node(name).unwrap().vectors;
    assert_eq!((vectors("a"), vectors("b"), vectors("c")), (0, 10, 0));
}

#[test]
fn a_node_gets_packets_on_its_arc_when_they_are_injected_there() {
    for release in releases() {
        let (nodes, features) = three();
        let report = host(nodes, features)
            .vpp(release)
            .trace(1)
            .inject_at(
                "a",
                Packets::from_bytes([common::udp_packet([1, 2, 3, 4].into(), b"x")]).past_ethernet(),
            )
            .run()
            .unwrap();
        assert_eq!(report.traces()[0].path(), ["pg-input", "a", "b", "ip4-lookup"], "{release}");
        let packet = report.sink("ip4-lookup").packets()[0];
        assert_eq!(packet.payload()[0], 0x45);
        assert_eq!(packet.bytes().len(), packet.payload().len() + 14);
    }
}

#[test]
fn names_in_constraints_that_nothing_has_are_warned_of() {
    let features = vec![feature("ip4-unicast", "a", &["ip4-lokup"], &["acl-plugin-in-ip4-fa"])];
    let report = host(vec![pass("a")], features).inject(udp(1)).run().unwrap();
    let [warning] = report.warnings() else { panic!("{:?}", report.warnings()) };
    assert_eq!(
        warning,
        "feature `a` is to run before `ip4-lokup`, which is not on arc `ip4-unicast`; nearest is `ip4-lookup`"
    );
}

fn refusal(nodes: Vec<Node>, features: Vec<Feature>) -> GraphError {
    match host(nodes, features).inject(udp(1)).run() {
        Err(HostError::Graph(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_arc_that_does_not_exist() {
    let message = refusal(vec![pass("a")], vec![feature("ip4-unicats", "a", &[], &[])]).to_string();
    assert_eq!(message, "feature `a` is for arc `ip4-unicats`, which is not known; nearest is `ip4-unicast`");
    let message = refusal(vec![pass("a")], vec![feature("my-own-special-arc", "a", &[], &[])]).to_string();
    assert!(
        message
            .starts_with("feature `a` is for arc `my-own-special-arc`, which is not known; arcs are arp, "),
        "{message}"
    );
    assert!(message.contains(" ip4-unicast,"), "{message}");
}

#[test]
fn a_feature_behind_the_end_of_its_arc() {
    let features = vec![feature("ip4-unicast", "a", &[], &["ip4-lookup"])];
    let message = refusal(vec![pass("a")], features).to_string();
    assert_eq!(message, "`a` is to run after `ip4-lookup`, which is the last on the arc `ip4-unicast`");
}

#[test]
fn constraints_that_nothing_satisfies() {
    let features = vec![feature("ip4-unicast", "a", &["b"], &[]), feature("ip4-unicast", "b", &["a"], &[])];
    let message = refusal(vec![pass("a"), pass("b")], features).to_string();
    assert!(message.starts_with("arc `ip4-unicast`: no order satisfies the constraints of "), "{message}");
    assert!(message.contains("a, b"), "{message}");
}

#[test]
fn an_arc_that_packets_do_not_reach_here() {
    let features = vec![feature("interface-output", "a", &[], &[])];
    let report = host(vec![pass("a")], features).inject(udp(1)).run().unwrap();
    assert_eq!(
        report.warnings(),
        ["feature `a` is on arc `interface-output`, which packets do not reach in this host"]
    );
}

#[test]
fn enabling_what_is_not_there() {
    let message = Host::new().enable_feature("ip4-unicast", "ip4-lokup").run().unwrap_err().to_string();
    assert!(message.contains("it is not on that arc; nearest is `ip4-lookup`"), "{message}");
}

#[test]
fn device_input_and_error_drop_are_arcs_too() {
    let nodes =
        vec![pass("first"), pass("late"), node("dropper", &["error-drop"], |c: &Call| c.enqueue_all(0))];
    let features = vec![
        feature("device-input", "first", &["ethernet-input"], &[]),
        feature("error-drop", "late", &[], &[]),
        feature("ip4-unicast", "dropper", &[], &[]),
    ];
    let report = host(nodes, features).trace(1).inject(udp(5)).run().unwrap();
    assert_eq!(
        report.traces()[0].path(),
        ["pg-input", "first", "ethernet-input", "ip4-input", "error-drop", "late", "drop"]
    );
    assert_eq!(report.summary().dropped[0].packets, 5);
}
