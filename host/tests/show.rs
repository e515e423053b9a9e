//! What a run leaves, as VPP prints it and as data.

mod common;

use common::{Node, feature, host, node, udp, udp_packet};
use vppkit_host::{Host, Packets, UdpStream, built_plugin};

fn report() -> vppkit_host::Report {
    let x = Node {
        errors: vec!["odd"],
        ..node("x", &["error-drop", "ip4-lookup"], |c| {
            let indices = c.indices();
            for &i in &indices {
                // SAFETY: a buffer, and the node's own error.
                unsafe { (*c.buffer(i)).error = *(*c.rt).errors };
            }
            let nexts: Vec<u16> = (0..indices.len()).map(|n| (n % 2) as u16).collect();
            c.enqueue(&indices, &nexts);
        })
    };
    host(vec![x], vec![feature("ip4-unicast", "x", &[], &[])]).trace(2).inject(udp(9)).run().unwrap()
}

#[test]
fn show_runtime_has_vpps_columns() {
    let text = report().show_runtime();
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[2], ["Name", "State", "Calls", "Vectors", "Suspends", "Packet-Clocks", "Vectors/Call"]);
    let x = lines.iter().find(|l| l.first() == Some(&"x")).unwrap();
    assert_eq!((x[1], x[2], x[3], x[4], x[6]), ("active", "1", "9", "0", "9.00"));
    assert!(x[5].contains('e'), "{x:?}");
    let names: Vec<_> = lines[3..].iter().filter_map(|l| l.first().copied()).collect();
    assert_eq!(names, ["drop", "error-drop", "ethernet-input", "ip4-input", "ip4-lookup", "pg-input", "x"]);
}

#[test]
fn the_clocks_of_show_runtime_are_called_as_the_release_calls_them() {
    for (release, column, interval) in
        [("25.10", "Clocks", "10"), ("26.02", "Packet-Clocks", "10"), ("26.06", "Packet-Clocks", "10.000000")]
    {
        let text = Host::new().vpp(release).inject(udp(1)).run().unwrap().show_runtime();
        let time = text.lines().next().unwrap();
        assert!(
            time.starts_with("Time ") && time.contains(&format!(", {interval} sec internal node ")),
            "{time}"
        );
        let head: Vec<_> = text.lines().nth(2).unwrap().split_whitespace().collect();
        assert_eq!(head[5], column, "{release}");
    }
}

#[test]
fn show_trace_has_packets_nodes_and_indented_records() {
    let report = report();
    let text = report.show_trace();
    assert!(text.contains("\nPacket 1\n\n00:00:00:"), "{text}");
    assert!(
        text.contains(
            ": ip4-input\n  UDP: 10.0.0.1 -> 10.9.9.9\n    tos 0x00, ttl 64, length 32, checksum 0x"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            " dscp CS0 ecn NON_ECN\n    fragment id 0x0000, flags DONT_FRAGMENT\n  UDP: 1000 -> 2000\n"
        ),
        "{text}"
    );
    assert!(text.contains(": error-drop\n  rx:pg0\n"), "{text}");
    assert!(text.contains(": drop\n  x: odd packets\n"), "{text}");
    assert!(!text.contains("should be"), "{text}");
    let none = Host::new().inject(udp(1)).run().unwrap().show_trace();
    assert!(none.contains("No packets in trace buffer"), "{none}");
}

#[test]
fn show_node_has_next_and_previous_nodes() {
    let text = report().show_node("x").unwrap();
    assert!(text.starts_with("node x, type internal, state active, index "), "{text}");
    assert!(text.contains("default only"), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.windows(3).any(|w| w == ["error-drop", "5", "1"]), "{text}");
    assert!(text.contains("ip4-input ("), "{text}");
    assert!(report().show_node("y").is_none());
}

#[test]
fn the_summary_is_the_same_in_words_and_as_data() {
    let report = report();
    assert_eq!(
        report.show_summary(),
        "9 packets read\n         4 forwarded\n             4 ip4-lookup\n         5 dropped\n             5 x: odd packets\n"
    );
    let json = report.to_json();
    assert_eq!(json["summary"]["read"], 9);
    assert_eq!(json["summary"]["dropped"][0]["reason"], "odd packets");
    assert_eq!(json["errors"][0]["count"], 5);
    assert_eq!(json["vpp"], "26.06");
    assert_eq!(json["traces"][0]["records"][0]["node"], "pg-input");
}

#[test]
fn packets_can_be_given_again_and_again() {
    let few =
        Packets::from_bytes([udp_packet([1, 1, 1, 1].into(), b"a"), udp_packet([2, 2, 2, 2].into(), b"b")]);
    let report = Host::new().inject(few.repeated(1001).unwrap()).run().unwrap();
    let packets = report.sink("ip4-lookup").packets();
    assert_eq!(packets.len(), 1001);
    assert_eq!(packets[1000].payload()[12], 1);
    let none = Packets::udp(UdpStream { count: 0, ..UdpStream::default() });
    assert_eq!(Host::new().inject(none.repeated(5).unwrap()).run().unwrap().packets_in(), 0);
}

#[test]
fn a_plugin_that_was_not_built() {
    let message = built_plugin("no-such-plugin").unwrap_err().to_string();
    assert!(message.starts_with("libno_such_plugin.so was not built in "), "{message}");
}

#[test]
fn a_misspelt_counter_or_sink_fails_the_test_that_asks() {
    let report = report();
    for (ask, expected) in [
        (
            (|r| _ = r.error("x", "odds")) as fn(&vppkit_host::Report),
            "the node `x` has no error counter `odds`; nearest is `odd`; it has `odd`",
        ),
        (|r| _ = r.error("xx", "odd"), "no node is called `xx`; nearest is `x`"),
        (|r| _ = r.sink("ip4-lokup"), "no node is called `ip4-lokup`; nearest is `ip4-lookup`"),
        (
            |r| _ = r.sink("error-punt"),
            "`error-punt` is a node of the host, no sink: packets that were punted are in summary().punted",
        ),
        (
            |r| _ = r.sink("punt"),
            "`punt` is a node of the host, no sink: packets that were punted are in summary().punted",
        ),
        (
            |r| _ = r.sink("error-drop"),
            "`error-drop` is a node of the host, no sink: packets that were dropped are in summary().dropped",
        ),
        (
            |r| _ = r.sink("drop"),
            "`drop` is a node of the host, no sink: packets that were dropped are in summary().dropped",
        ),
        (|r| _ = r.sink("ip4-input"), "`ip4-input` is a node of the host, no sink"),
        (|r| _ = r.sink("x"), "`x` is a node of `test-plugin`, no sink"),
    ] {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ask(&report))).unwrap_err();
        assert_eq!(*panic.downcast::<String>().unwrap(), expected);
    }
}
