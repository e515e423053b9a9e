//! Making a report from what VPP's structures and the host's state say at the end of a run.

use std::collections::BTreeMap;

use vppkit_sys::release::Release;
use vppkit_sys::vlib::cli::vlib_cli_main_t;
use vppkit_sys::vlib::error::{VL_COUNTER_SEVERITY_INFO, VL_COUNTER_SEVERITY_WARN};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vlib::node::{VLIB_NODE_TYPE_INPUT, VLIB_NODE_TYPE_PRE_INPUT};

use super::{Ended, ErrorCount, NextCount, NodeStats, Report, Summary, Variant};
use crate::exports::Exports;
use crate::log::c_text;
use crate::state::{State, n_nodes, node, runtime, state};
use crate::vm::Vm;
use crate::{clock, features, graph, trace, vec};

/// Copies all that the report needs, while the plugins' strings are there.
///
/// # Safety
/// `vm` is the host's, its plugins are loaded, and no node runs.
pub(crate) unsafe fn collect(vm: *mut vlib_main_t, seconds: f64, main_loops: u64) -> Report {
    // SAFETY: by contract.
    unsafe {
        let traces = trace::collect(vm);
        for i in 0..n_nodes(vm) {
            graph::sync_stats(Vm::new(vm), i);
        }
        let nodes: Vec<NodeStats> = (0..n_nodes(vm)).map(|i| stats(vm, i)).collect();
        let em = &raw const (*vm).error_main;
        let owners = vec::slice((*vm).node_main.node_by_error);
        let mut guard = state(vm);
        let st = &mut *guard;
        let errors: Vec<ErrorCount> = vec::slice((*em).counters_heap)
            .iter()
            .zip(vec::slice((*em).counters))
            .zip(owners)
            .map(|((d, &count), &owner)| ErrorCount {
                node: st.name(owner).to_owned(),
                name: c_text(d.name),
                description: c_text(d.desc),
                severity: match d.severity {
                    VL_COUNTER_SEVERITY_WARN => "warn",
                    VL_COUNTER_SEVERITY_INFO => "info",
                    _ => "error",
                },
                count,
            })
            .collect();
        let summary = summary(st, &errors);
        let violations = st.faults.list(|n| st.name(n).to_owned());
        let arcs: BTreeMap<String, Vec<String>> = st
            .arcs
            .iter()
            .map(|a| (a.name.clone(), a.features.iter().map(|f| f.node.clone()).collect()))
            .collect();
        let plugin_features = features::of_plugins(&st.arcs);
        let cli_commands = cli_commands(st.exports, st.release);
        Report {
            release: st.release.name,
            packets: std::mem::take(&mut st.sinks.packets),
            nodes,
            sinks: st.sinks.nodes.iter().map(|&n| st.name(n).to_owned()).collect(),
            errors,
            traces,
            violations,
            warnings: std::mem::take(&mut st.warnings),
            log: Vec::new(),
            summary,
            arcs,
            plugin_features,
            cli_commands,
            cut: st.input.cut,
            bytes: st.input.bytes,
            seconds,
            clocks_per_second: clock::per_second(),
            main_loops,
            internal: ((*vm).internal_node_vectors, (*vm).internal_node_calls),
        }
    }
}

/// One node and its counts.
///
/// # Safety
/// As for [`collect`].
unsafe fn stats(vm: *mut vlib_main_t, index: u32) -> NodeStats {
    // SAFETY: by contract.
    unsafe {
        let n = node(vm, index);
        let st = state(vm);
        let info = &st.nodes[index as usize];
        let next = vec::slice((*n).next_nodes)
            .iter()
            .zip(vec::slice((*n).n_vectors_by_next_node))
            .enumerate()
            .filter(|(_, (next, _))| **next != !0)
            .map(|(slot, (&to, &vectors))| NextCount {
                slot,
                node: st.name(to).to_owned(),
                node_index: to,
                vectors,
            })
            .collect();
        let previous = (0..n_nodes(vm))
            .filter(|&i| vec::slice((*node(vm, i)).next_nodes).contains(&index))
            .map(|i| (st.name(i).to_owned(), i))
            .collect();
        let mut variants = Vec::new();
        let mut at = (*n).node_fn_registrations;
        while let Some(r) = at.as_ref() {
            let v = &*(*vm).node_main.variants.add(r.march_variant as usize);
            variants.push(Variant {
                name: c_text(v.suffix),
                priority: v.priority,
                active: r.function.map(|f| f as usize) == (*n).function.map(|f| f as usize),
            });
            at = r.next_registration;
        }
        let total = &(*n).stats_total;
        let is_input = matches!((*n).r#type, VLIB_NODE_TYPE_INPUT | VLIB_NODE_TYPE_PRE_INPUT);
        NodeStats {
            name: info.name.clone(),
            plugin: info.owner.clone(),
            index,
            kind: ["internal", "input", "pre-input", "process", "sched"][(*n).r#type as usize],
            state: match (*runtime(vm, index)).state {
                _ if !is_input => "active",
                0 => "polling",
                1 => "interrupt wait",
                _ => "disabled",
            },
            calls: total.calls,
            vectors: total.vectors,
            clocks: total.clocks,
            max_clocks: (total.max_clock, total.max_clock_n),
            next,
            previous,
            variants,
            sibling_of: info.sibling_of.clone(),
            flags: (*n).flags,
        }
    }
}

/// Where every packet went.
fn summary(st: &State, errors: &[ErrorCount]) -> Summary {
    let o = &st.outcomes;
    let by_node = |part: &BTreeMap<u32, u64>| -> Vec<Ended> {
        part.iter()
            .map(|(&n, &packets)| Ended { node: st.name(n).to_owned(), reason: String::new(), packets })
            .collect()
    };
    let by_error = |part: &BTreeMap<u16, u64>| -> Vec<Ended> {
        part.iter()
            .map(|(&e, &packets)| {
                let error = errors.get(usize::from(e));
                Ended {
                    node: error.map_or_else(|| "unknown".into(), |e| e.node.clone()),
                    reason: error.map_or_else(|| format!("error {e}"), |e| e.description.clone()),
                    packets,
                }
            })
            .collect()
    };
    let mut summary = Summary {
        read: o.read,
        created: o.created,
        forwarded: by_node(&o.forwarded),
        dropped: by_error(&o.dropped),
        punted: by_error(&o.punted),
        freed: by_node(&o.freed),
        lost: by_node(&o.lost),
    };
    if st.ledger.is_none() {
        // Nobody watched: what is missing was freed by nodes, what is too much was made by them.
        let (read, ended) = (summary.read, o.ended());
        summary.created = ended.saturating_sub(read);
        if read > ended {
            summary.freed.push(Ended { node: "nodes".into(), reason: String::new(), packets: read - ended });
        }
    }
    summary
}

/// The paths of the CLI commands on VPP's list; the host puts none there.
///
/// # Safety
/// The plugins are loaded and `release` is the one that is imitated.
unsafe fn cli_commands(exports: &Exports, release: &Release) -> Vec<String> {
    let mut commands = Vec::new();
    // SAFETY: the offset is the release's; the list holds records of loaded plugins.
    unsafe {
        let offset = release.vlib_global_main.cli_main;
        let main = exports.global_main.byte_add(offset).cast::<vlib_cli_main_t>();
        let mut at = (*main).cli_command_registrations;
        while let Some(command) = at.as_ref() {
            commands.push(c_text(command.path));
            at = command.next_cli_command;
        }
    }
    commands.sort();
    commands
}
