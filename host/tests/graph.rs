//! Registering and connecting nodes: what VPP accepts, and what it does not check.

mod common;

use common::{Node, feature, host, node, udp};
use vppkit_host::{GraphError, HostError, releases};

fn refusal(nodes: Vec<Node>) -> String {
    match host(nodes, Vec::new()).inject(udp(1)).run() {
        Err(HostError::Graph(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_name_used_twice() {
    let message = refusal(vec![node("x", &[], |_| ()), node("x", &[], |_| ())]);
    assert_eq!(message, "node `x` is registered by `test-plugin` and by `test-plugin`");
}

#[test]
fn a_name_of_vpps_own() {
    // A sink, a node that the host has, and one that it does not have.
    for name in ["ip4-lookup", "ip4-input", "ip4-rewrite"] {
        let message = refusal(vec![node(name, &[], |_| ())]);
        assert_eq!(
            message,
            format!(
                "node `{name}` of `test-plugin` is one of VPP's own: VPP ends when a name is used twice; \
                 give yours another in #[vlib_node]"
            )
        );
    }
}

#[test]
fn a_name_of_vpps_plugins() {
    let nodes = vec![node("nat44-ed-in2out", &["ip4-lookup"], |c| c.enqueue_all(0))];
    let report =
        host(nodes, vec![feature("ip4-unicast", "nat44-ed-in2out", &[], &[])]).inject(udp(3)).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 3);
    assert_eq!(
        report.warnings(),
        ["node `nat44-ed-in2out` of `test-plugin` has the name of a node of VPP's plugins: \
          VPP ends when a name is used twice, so both cannot be loaded"]
    );
}

#[test]
fn a_next_node_that_is_misspelt() {
    let message = refusal(vec![node("x", &["error-drop", "ip4-lokup"], |_| ())]);
    assert_eq!(message, "next node `ip4-lokup` of `x` is not known; did you mean `ip4-lookup`?");
}

#[test]
fn a_next_node_of_another_plugin_becomes_a_sink() {
    let nodes = vec![node("x", &["my-own-very-special-node"], |c| c.enqueue_all(0))];
    let report = host(nodes, vec![feature("ip4-unicast", "x", &[], &[])]).inject(udp(3)).run().unwrap();
    assert_eq!(report.sink("my-own-very-special-node").len(), 3);
    assert_eq!(
        report.warnings(),
        ["next node `my-own-very-special-node` of `x` is not known; packets sent there go to a sink; \
          VPP does not start unless another plugin has it"]
    );
}

#[test]
fn a_next_node_of_vpp_becomes_a_sink_without_a_word() {
    let nodes = vec![node("x", &["ip4-rewrite"], |c| c.enqueue_all(0))];
    let report = host(nodes, vec![feature("ip4-unicast", "x", &[], &[])]).inject(udp(3)).run().unwrap();
    assert_eq!(report.sink("ip4-rewrite").len(), 3);
    assert!(report.warnings().is_empty());
}

#[test]
fn a_variant_that_the_release_does_not_have() {
    for (release, index) in [("25.10", 10), ("26.02", 11), ("26.06", 4)] {
        let x = Node { variants: vec![0, index], ..node("x", &[], |_| ()) };
        let error = host(vec![x], Vec::new()).vpp(release).run().unwrap_err();
        assert!(
            matches!(&error, HostError::Graph(GraphError::Variant { index: i, .. }) if *i == index),
            "{error}"
        );
    }
}

#[test]
fn a_node_without_a_function_for_this_cpu() {
    // No CPU is of both vendors: one of the two is not supported.
    for release in releases().filter(|r| *r != "26.06") {
        let intel = Node { variants: vec![7], ..node("x", &[], |_| ()) };
        let amd = Node { variants: vec![9], ..node("x", &[], |_| ()) };
        let errors: Vec<_> = [intel, amd]
            .into_iter()
            .filter_map(|n| host(vec![n], Vec::new()).vpp(release).run().err())
            .map(|e| e.to_string())
            .collect();
        assert!(!errors.is_empty());
        assert!(errors.iter().all(|e| e.contains("no function that this CPU can run")), "{errors:?}");
    }
}

#[test]
fn the_default_variant_is_there_to_be_chosen() {
    let x = Node { variants: vec![0, 1], ..node("x", &["ip4-lookup"], |c| c.enqueue_all(0)) };
    let report = host(vec![x], vec![feature("ip4-unicast", "x", &[], &[])])
        .march_variant("default")
        .inject(udp(2))
        .run()
        .unwrap();
    let names: Vec<_> = report.node("x").unwrap().variants.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["scalar", "default"]);
    assert!(report.show_node("x").unwrap().contains("scalar"));
    let error = host(Vec::new(), Vec::new()).march_variant("neon").run().unwrap_err().to_string();
    assert!(error.contains("default"), "{error}");
}

#[test]
fn what_vpp_does_not_check_in_a_registration() {
    let x = Node { extra_runtime_data: 49, ..node("x", &[], |_| ()) };
    assert!(refusal(vec![x]).contains("57 bytes of runtime data, VPP has room for 56"));
    let x = Node { extra_runtime_data: 48, ..node("x", &[], |_| ()) };
    host(vec![x], Vec::new()).run().unwrap();
    let x = Node { vector_size: 0, ..node("x", &[], |_| ()) };
    assert!(refusal(vec![x]).contains("vector_size is 0"));
    let x = Node { r#type: 9, ..node("x", &[], |_| ()) };
    assert!(refusal(vec![x]).contains("type 9 does not exist"));
    assert!(refusal(vec![node("", &[], |_| ())]).contains("has no name"));
}

#[test]
fn siblings_share_their_next_nodes() {
    let nodes = vec![
        Node { sibling_of: Some("elder"), ..node("younger", &[], |c| c.enqueue_all(1)) },
        node("elder", &["error-drop", "ip4-lookup"], |_| ()),
    ];
    let report = host(nodes, vec![feature("ip4-unicast", "younger", &[], &[])]).inject(udp(7)).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 7);
    let nexts = |n: &str| report.node(n).unwrap().next.iter().map(|x| x.node.clone()).collect::<Vec<_>>();
    assert_eq!(nexts("younger"), nexts("elder"));

    let x = Node { sibling_of: Some("eldest"), ..node("x", &[], |_| ()) };
    assert!(refusal(vec![x]).contains("is a sibling of `eldest`, which is not known"));
}

#[test]
fn an_input_node_of_a_plugin_runs_in_each_turn() {
    thread_local! { static LEFT: std::cell::Cell<u32> = const { std::cell::Cell::new(3) }; }
    let x = Node {
        r#type: 1,
        ..node("my-input", &["ip4-lookup"], |c| {
            if LEFT.get() > 0 {
                LEFT.set(LEFT.get() - 1);
                let index = c.alloc();
                // SAFETY: a buffer that the node took.
                unsafe { (*c.buffer(index)).current_length = 60 };
                c.enqueue(&[index], &[0]);
            }
        })
    };
    let report = host(vec![x], Vec::new()).loops(10).run().unwrap();
    assert_eq!(report.sink("ip4-lookup").len(), 3);
    assert_eq!(report.summary().created, 3);
    assert!(report.summary().adds_up());
}

#[test]
fn a_node_that_does_not_exist() {
    let error = host(Vec::new(), Vec::new()).inject_at("ip4-inptu", udp(1)).run().unwrap_err();
    assert_eq!(error.to_string(), "no node is called `ip4-inptu`; nearest is `ip4-input`");
}

#[test]
fn one_host_at_a_time() {
    let error = std::rc::Rc::new(std::cell::RefCell::new(None));
    let inner = error.clone();
    host(Vec::new(), Vec::new())
        .inject(udp(1))
        .on_packet(move |_| {
            *inner.borrow_mut() = vppkit_host::Host::new().run().err();
            Ok(())
        })
        .run()
        .unwrap();
    let message = error.borrow().as_ref().unwrap().to_string();
    assert!(message.starts_with("this thread already runs a host"), "{message}");
}

#[test]
fn a_release_that_is_not_known() {
    let error = vppkit_host::Host::new().vpp("24.10").run().unwrap_err();
    assert_eq!(error.to_string(), "VPP 24.10 is not supported; this host imitates 25.10, 26.02, 26.06");
}

#[test]
fn counters_are_found_by_name_and_by_description() {
    let x = Node {
        errors: vec!["odd", "even"],
        ..node("x", &["error-drop"], |c| {
            for (n, i) in c.indices().into_iter().enumerate() {
                // SAFETY: a buffer, and the node's own errors.
                unsafe { (*c.buffer(i)).error = *(*c.rt).errors.add(n % 2) };
            }
            c.enqueue_all(0);
        })
    };
    let report = host(vec![x], vec![feature("ip4-unicast", "x", &[], &[])]).inject(udp(5)).run().unwrap();
    assert_eq!((report.error("x", "odd"), report.error("x", "even packets")), (3, 2));
    let dropped: Vec<_> =
        report.summary().dropped.iter().map(|e| (e.node.as_str(), e.reason.as_str(), e.packets)).collect();
    assert_eq!(dropped, [("x", "odd packets", 3), ("x", "even packets", 2)]);
    let errors = report.show_errors();
    let words: Vec<Vec<&str>> = errors.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["Count", "Node", "Reason", "Severity"]);
    assert_eq!(words[1], ["3", "x", "odd", "packets", "error"]);
}
