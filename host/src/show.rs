//! What VPP's `show` commands print.

use std::fmt::Write as _;

use crate::nodes::{FLAG_IS_DROP, FLAG_IS_OUTPUT, FLAG_IS_PUNT};
use crate::report::{NodeStats, Report};

/// Centred as VPP centres: what is odd goes to the left.
fn centre(text: &str, width: usize) -> String {
    let text: String = text.chars().take(width).collect();
    let fill = width - text.chars().count();
    format!("{}{text}{}", " ".repeat(fill - fill / 2), " ".repeat(fill / 2))
}

/// Cut to a column's width, as VPP does.
fn cut(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

impl Report {
    /// `show runtime`.
    pub fn show_runtime(&self) -> String {
        let rate = |v: u64| v as f64 / self.seconds.max(1e-9);
        let sum = |f: fn(&NodeStats) -> bool| -> u64 {
            self.nodes.iter().filter(|n| f(n)).map(|n| n.vectors).sum()
        };
        let is_internal = |n: &NodeStats, flag: u16| n.kind == "internal" && n.flags & flag != 0;
        let (vectors, calls) = self.internal;
        let mut s = String::new();
        // VPP's own `%f` prints six decimals since 26.06.
        let interval = if matches!(self.release(), "25.10" | "26.02") { "10" } else { "10.000000" };
        let _ = writeln!(
            s,
            "Time {:.1}, {interval} sec internal node vector rate {:.2} loops/sec {:.2}",
            self.seconds,
            if calls == 0 { 0.0 } else { vectors as f64 / calls as f64 },
            rate(self.main_loops)
        );
        let _ = writeln!(
            s,
            "  vector rates in {:.4e}, out {:.4e}, drop {:.4e}, punt {:.4e}",
            rate(sum(|n| n.kind == "input")),
            rate(self.nodes.iter().filter(|n| is_internal(n, FLAG_IS_OUTPUT)).map(|n| n.vectors).sum()),
            rate(self.nodes.iter().filter(|n| is_internal(n, FLAG_IS_DROP)).map(|n| n.vectors).sum()),
            rate(self.nodes.iter().filter(|n| is_internal(n, FLAG_IS_PUNT)).map(|n| n.vectors).sum()),
        );
        let head = [("Name", 30), ("State", 12), ("Calls", 16), ("Vectors", 16), ("Suspends", 16)];
        // 26.02 gave the column another name.
        let clocks = if self.release() == "25.10" { "Clocks" } else { "Packet-Clocks" };
        for (name, width) in head.into_iter().chain([(clocks, 16), ("Vectors/Call", 16)]) {
            s.push_str(&centre(name, width));
        }
        s.push('\n');
        let mut nodes: Vec<&NodeStats> = self.nodes.iter().filter(|n| n.calls > 0).collect();
        nodes.sort_by(|a, b| a.name.cmp(&b.name));
        for n in nodes {
            let per = |d: u64| n.clocks as f64 / d as f64;
            let clocks = if n.vectors > 0 { per(n.vectors) } else { per(n.calls) };
            let _ = writeln!(
                s,
                "{:<30}{}{:>16}{:>16}{:>16}{:>16.2e}{:>16.2}",
                cut(&n.name, 30),
                centre(n.state, 12),
                n.calls,
                n.vectors,
                0,
                clocks,
                n.vectors as f64 / n.calls as f64
            );
        }
        s
    }

    /// `show errors`.
    pub fn show_errors(&self) -> String {
        let mut s = String::new();
        for (name, width) in [("Count", 10), ("Node", 35), ("Reason", 35), ("Severity", 10)] {
            s.push_str(&centre(name, width));
        }
        s.push('\n');
        for e in self.errors.iter().filter(|e| e.count > 0) {
            let _ = writeln!(
                s,
                "{:>10}{}{}{}",
                e.count,
                centre(&e.node, 35),
                centre(&e.description, 35),
                centre(e.severity, 10)
            );
        }
        s
    }

    /// `show trace`.
    pub fn show_trace(&self) -> String {
        let mut s = String::from("------------------- Start of thread 0 vpp_main -------------------\n");
        if self.traces.is_empty() {
            s.push_str("No packets in trace buffer\n");
        }
        for (i, trace) in self.traces.iter().enumerate() {
            let _ = writeln!(s, "Packet {}", i + 1);
            let mut last = "";
            for r in &trace.records {
                if r.node != last {
                    let t = r.clocks as f64 / self.clocks_per_second;
                    let whole = t as u64;
                    let _ = write!(
                        s,
                        "\n{:02}:{:02}:{:02}:{:06}: {}",
                        whole / 3600,
                        whole / 60 % 60,
                        whole % 60,
                        ((t - whole as f64) * 1e6) as u64,
                        r.node
                    );
                }
                last = &r.node;
                let _ = write!(s, "\n  {}", r.text);
            }
            s.push_str("\n\n");
        }
        s
    }

    /// `show node`; `None` if no node has that name.
    pub fn show_node(&self, name: &str) -> Option<String> {
        let n = self.node(name)?;
        let sibling = n.sibling_of.as_ref().map(|x| format!(", sibling-of {x}")).unwrap_or_default();
        let mut s =
            format!("node {}, type {}, state {}, index {}{sibling}\n", n.name, n.kind, n.state, n.index);
        s.push_str("  node function variants:");
        if n.variants.is_empty() {
            s.push_str("\n    default only");
        } else {
            let _ = write!(s, "\n    {:<15}  {}  {:>6}", "Name", centre("Priority", 8), "Active");
            for v in &n.variants {
                let active = if v.active { "yes" } else { "" };
                let _ = write!(s, "\n    {:<15}  {:>8}  {}", v.name, v.priority, centre(active, 6));
            }
        }
        s.push_str("\n\n  next nodes:");
        if n.next.is_empty() {
            s.push_str("\n    none");
        } else {
            let _ = write!(
                s,
                "\n    {:>10}  {:>10}  {} {:>8}",
                "next-index",
                "node-index",
                centre("Node", 30),
                "Vectors"
            );
            for x in &n.next {
                let _ = write!(
                    s,
                    "\n    {}  {}  {} {}",
                    centre(&x.slot.to_string(), 10),
                    centre(&x.node_index.to_string(), 10),
                    centre(&x.node, 30),
                    centre(&x.vectors.to_string(), 8)
                );
            }
        }
        s.push('\n');
        if n.kind == "internal" {
            s.push_str("\n  known previous nodes:");
            if n.previous.is_empty() {
                s.push_str("\n    none");
            }
            for (i, (name, index)) in n.previous.iter().enumerate() {
                if i % 3 == 0 {
                    s.push_str("\n    ");
                }
                let _ = write!(s, "{:<35}", format!("{name} ({index})"));
            }
            s.push('\n');
        }
        Some(s)
    }

    /// Where every packet went, in words.
    pub fn show_summary(&self) -> String {
        let summary = &self.summary;
        let plural = |n: u64| if n == 1 { "packet" } else { "packets" };
        let mut s = format!("{} {} read", summary.read, plural(summary.read));
        if summary.created > 0 {
            let _ = write!(s, ", {} made by nodes", summary.created);
        }
        if self.cut > 0 {
            let _ = write!(s, ", {} of them captured only in part", self.cut);
        }
        s.push('\n');
        for (what, part) in summary.parts() {
            let total: u64 = part.iter().map(|e| e.packets).sum();
            if total == 0 {
                continue;
            }
            let _ = writeln!(s, "{total:>10} {what}");
            for e in part {
                let reason = if e.reason.is_empty() { String::new() } else { format!(": {}", e.reason) };
                let _ = writeln!(s, "{:>14} {}{reason}", e.packets, e.node);
            }
        }
        s
    }
}
