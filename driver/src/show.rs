//! Reads what `show ...` prints.

use std::collections::{BTreeMap, BTreeSet};

/// One line of `show errors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorLine {
    /// The node.
    pub node: String,
    /// The counter's description, cut to 35 characters by VPP.
    pub reason: String,
    /// `error`, `warn` or `info`.
    pub severity: String,
    /// How often.
    pub count: u64,
}

/// The lines of `show errors`; what several threads counted is added up.
pub fn errors(text: &str) -> Vec<ErrorLine> {
    /// Widths of the columns count, node, reason and severity.
    const COLUMNS: [usize; 4] = [10, 35, 35, 10];
    let mut lines: Vec<ErrorLine> = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        let mut columns = COLUMNS.map(|width| {
            let cut = rest.char_indices().nth(width).map_or(rest.len(), |(at, _)| at);
            let (column, behind) = rest.split_at(cut);
            rest = behind;
            column.trim().to_owned()
        });
        let Ok(count) = columns[0].parse() else { continue };
        let [_, node, reason, severity] = std::mem::take(&mut columns);
        match lines.iter_mut().find(|line| line.node == node && line.reason == reason) {
            Some(line) => line.count += count,
            None => lines.push(ErrorLine { node, reason, severity, count }),
        }
    }
    lines
}

/// Calls and vectors of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Runtime {
    /// How often it was called.
    pub calls: u64,
    /// How many packets it handled.
    pub vectors: u64,
}

/// The nodes of `show runtime`; what several threads did is added up. Process nodes are left out.
pub fn runtime(text: &str) -> BTreeMap<String, Runtime> {
    let mut nodes = BTreeMap::<String, Runtime>::new();
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        let [name, state, .., calls, vectors, _suspends, _clocks, _per_call] = words[..] else { continue };
        let (Ok(calls), Ok(vectors)) = (calls.parse::<u64>(), vectors.parse::<u64>()) else { continue };
        if ["active", "polling", "interrupt", "disabled"].contains(&state) {
            let node = nodes.entry(name.to_owned()).or_default();
            node.calls += calls;
            node.vectors += vectors;
        }
    }
    nodes
}

/// One function of a node, as `show node` lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// VPP's name of the variant.
    pub name: String,
    /// Negative if this CPU cannot run it.
    pub priority: i32,
    /// Whether the node uses it.
    pub active: bool,
}

/// The functions of a node from `show node NAME`. A node with one function has `default`.
pub fn variants(text: &str) -> Vec<Variant> {
    let mut lines = text.lines().skip_while(|line| !line.contains("node function variants:")).skip(1);
    let mut variants = Vec::new();
    for line in lines.by_ref().take_while(|line| !line.trim().is_empty()) {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["default", "only"] => {
                variants.push(Variant { name: "default".into(), priority: 0, active: true })
            }
            [name, priority, ref rest @ ..] => {
                if let Ok(priority) = priority.parse() {
                    let active = rest.first() == Some(&"yes");
                    variants.push(Variant { name: name.into(), priority, active });
                }
            }
            _ => {}
        }
    }
    variants
}

/// A plugin of `show plugins`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// Its file.
    pub file: String,
    /// Its version.
    pub version: String,
    /// What it says of itself.
    pub description: String,
}

/// The plugins of `show plugins`.
pub fn plugins(text: &str) -> Vec<Plugin> {
    let plugin = |line: &str| {
        let (number, rest) = line.trim().split_once(". ")?;
        number.parse::<u32>().ok()?;
        let (file, rest) = rest.trim().split_once(char::is_whitespace)?;
        let (version, description) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
        Some(Plugin { file: file.into(), version: version.into(), description: description.trim().into() })
    };
    text.lines().filter_map(plugin).collect()
}

/// Buffers in use, from `show buffers`; buffers that threads keep for themselves are free.
pub fn buffers_used(text: &str) -> Option<u64> {
    let mut used = None;
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        // Pool Name, Index, NUMA, Size, Data Size, Total, Avail, Cached, Used
        if let [_, _, _, _, _, _, _, _, last] = words[..]
            && let Ok(n) = last.parse::<u64>()
        {
            used = Some(used.unwrap_or(0) + n);
        }
    }
    used
}

/// All feature arcs and their features, in order, from `show features`.
pub fn arcs(text: &str) -> Vec<(String, Vec<String>)> {
    let mut arcs: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(feature) = line.strip_prefix("  ") {
            let is_number = |c: char| c == '[' || c == ']' || c.is_ascii_digit() || c == ' ';
            if let Some((_, features)) = arcs.last_mut() {
                features.push(feature.trim().trim_start_matches(is_number).to_owned());
            }
        } else if let Some(arc) = line.trim().strip_suffix(':') {
            arcs.push((arc.to_owned(), Vec::new()));
        }
    }
    arcs
}

/// The features of an arc, in order, from `show features`.
pub fn features(text: &str, arc: &str) -> Vec<String> {
    arcs(text).into_iter().find(|(name, _)| name == arc).map(|(_, features)| features).unwrap_or_default()
}

/// The names of all nodes that are connected, from `show vlib graphviz`. Other commands cut long names.
pub fn nodes(text: &str) -> BTreeSet<String> {
    // `  "ip4-input" -> "ip4-lookup"`
    text.lines()
        .filter_map(|line| line.split_once(" -> "))
        .flat_map(|(from, to)| [from, to])
        .filter_map(|side| side.split('"').nth(1))
        .map(str::to_owned)
        .collect()
}

/// The next nodes of a node and how many packets it sent there, from `show node NAME`. Where several
/// nodes send to one, VPP's counters of them mix.
pub fn next_nodes(text: &str) -> Vec<(String, u64)> {
    let lines = text.lines().skip_while(|line| line.trim() != "next nodes:").skip(1);
    lines
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
            [_slot, _index, name, vectors] => Some((name.to_owned(), vectors.parse().ok()?)),
            _ => None,
        })
        .collect()
}

/// What a node recorded of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceRecord {
    /// The node.
    pub node: String,
    /// What it says, without the indentation.
    pub text: String,
}

/// The traced packets of `show trace`, with their records.
pub fn traces(text: &str) -> Vec<Vec<TraceRecord>> {
    let mut packets: Vec<Vec<TraceRecord>> = Vec::new();
    for line in text.lines() {
        let node = line.split_once(": ").filter(|(time, _)| is_time(time));
        let is_packet = line.strip_prefix("Packet ").is_some_and(|number| number.parse::<u64>().is_ok());
        if is_packet {
            packets.push(Vec::new());
        } else if let (Some((_, node)), Some(packet)) = (node, packets.last_mut()) {
            packet.push(TraceRecord { node: node.trim().to_owned(), text: String::new() });
        } else if let (true, Some(record)) =
            (line.starts_with("  "), packets.last_mut().and_then(|packet| packet.last_mut()))
        {
            if !record.text.is_empty() {
                record.text.push('\n');
            }
            record.text.push_str(line[2..].trim_end());
        }
    }
    packets
}

/// Like `00:00:01:298187`.
fn is_time(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == ':')
}

/// The records that a node left in the traces, in order: the indented lines below its name, as one text each.
pub fn trace_records(text: &str, node: &str) -> Vec<String> {
    let mut records = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        // `00:00:01:298187: pg-input`
        let is_node = line.split_once(": ").is_some_and(|(time, name)| name.trim() == node && is_time(time));
        if is_node {
            let mut record = Vec::new();
            while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
                record.push(line.trim_end());
            }
            records.push(record.join("\n"));
        }
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_two_threads_are_added_up() {
        let text = "\
   Count                  Node                              Reason               Severity 
Thread 0 (vpp_main):
        42           ethernet-input                      unknown vlan              error  
Thread 1 (vpp_wk_0):
        88             drop-icmp                     ICMP packets dropped          info   
         2             drop-icmp                     ICMP packets dropped          info   
";
        let line = |node: &str, reason: &str, severity: &str, count| ErrorLine {
            node: node.into(),
            reason: reason.into(),
            severity: severity.into(),
            count,
        };
        assert_eq!(
            errors(text),
            [
                line("ethernet-input", "unknown vlan", "error", 42),
                line("drop-icmp", "ICMP packets dropped", "info", 90)
            ]
        );
    }

    #[test]
    fn runtime_has_graph_nodes_and_no_processes() {
        let text = "\
Time 1.5, 10.000000 sec internal node vector rate 230.00 loops/sec 1498539.67
  vector rates in 7.1280e2, out 0.0000e0, drop 7.1280e2, punt 0.0000e0
             Name                 State         Calls          Vectors        Suspends      Packet-Clocks   Vectors/Call  
drop-icmp                        active                  5            1110               0          9.66e3          222.00
fib-walk                       \"any wait\"                0               0               1          2.16e4            0.00
pg-input                       interrupt wait            1               2               0          2.16e4            0.00
";
        let nodes = runtime(text);
        assert_eq!(nodes["drop-icmp"], Runtime { calls: 5, vectors: 1110 });
        assert_eq!(nodes["pg-input"], Runtime { calls: 1, vectors: 2 });
        assert_eq!(nodes.len(), 2);
    }

    #[test]
    fn variants_with_and_without_choice() {
        let text = "\
node error-drop, type internal, state active, index 380
  node function variants:
    Name             Priority  Active  Description
    x86_64_v4              95    yes   x86-64-v4
    x86_64_v3              45          x86-64-v3
    default                 0          default

  next nodes:
";
        let names: Vec<_> = variants(text).into_iter().map(|v| (v.name, v.priority, v.active)).collect();
        let expected = [("x86_64_v4", 95, true), ("x86_64_v3", 45, false), ("default", 0, false)];
        assert_eq!(names, expected.map(|(name, priority, active)| (name.to_owned(), priority, active)));
        let text = "node x\n  node function variants:\n    default only\n\n";
        assert_eq!(variants(text), [Variant { name: "default".into(), priority: 0, active: true }]);
    }

    #[test]
    fn plugins_buffers_features_and_traces() {
        let text = " Plugin path is: /x\n\n     Plugin                                   Version                          Description\n  1. drop_icmp_plugin.so                      0.1.0                            Drop ICMP\n";
        let plugin = Plugin {
            file: "drop_icmp_plugin.so".into(),
            version: "0.1.0".into(),
            description: "Drop ICMP".into(),
        };
        assert_eq!(plugins(text), [plugin]);
        let text = "Pool Name            Index NUMA  Size  Data Size  Total  Avail  Cached   Used  \ndefault-numa-0         0     0   2304     2048    11956  11572    384      7   \n";
        assert_eq!(buffers_used(text), Some(7));
        let text = "Available feature paths\narp:\n  arp-reply\nip4-unicast:\n  drop-icmp\n  ip4-lookup\nip6-unicast:\n  x\n";
        assert_eq!(features(text, "ip4-unicast"), ["drop-icmp", "ip4-lookup"]);
        assert_eq!(arcs(text)[0], ("arp".into(), vec!["arp-reply".into()]));
        let text = "Packet 1\n\n00:00:01:298187: pg-input\n  stream x\n    more\n00:00:01:298200: drop-icmp\n  a -> b ICMP\n\nPacket 2\n";
        assert_eq!(trace_records(text, "drop-icmp"), ["  a -> b ICMP"]);
        assert_eq!(trace_records(text, "pg-input"), ["  stream x\n    more"]);
    }

    #[test]
    fn packets_of_a_trace() {
        let text = "\
------------------- Start of thread 0 vpp_main -------------------
Packet 1

00:00:01:298187: pg-input
  stream x
    more
00:00:01:298200: drop-icmp
  a -> b ICMP

Packet 2

00:00:01:298300: pg-input
------------------- Start of thread 1 vpp_wk_0 -------------------
No packets in trace buffer
";
        let record = |node: &str, text: &str| TraceRecord { node: node.into(), text: text.into() };
        let first = vec![record("pg-input", "stream x\n  more"), record("drop-icmp", "a -> b ICMP")];
        assert_eq!(traces(text), [first, vec![record("pg-input", "")]]);
    }

    #[test]
    fn nodes_and_their_next_nodes() {
        let text = "digraph {\n  \"a-long-name-of-a-node\" -> \"error-drop\"\n  \"x\" -> \"y\"\n}\n";
        assert_eq!(Vec::from_iter(nodes(text)), ["a-long-name-of-a-node", "error-drop", "x", "y"]);
        let text = "\
  next nodes:
    next-index  node-index               Node               Vectors
         0          380               error-drop               88
         1          333               ip4-lookup               0

  known previous nodes:
    ip4-input (319)
";
        assert_eq!(next_nodes(text), [("error-drop".to_owned(), 88), ("ip4-lookup".to_owned(), 0)]);
        assert!(next_nodes("  next nodes:\n    none\n").is_empty());
    }
}
