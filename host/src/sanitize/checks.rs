//! What is checked as buffers move: in and out of the pool, into frames, and out of them.

use vppkit_sys::release::ArcHeap;
use vppkit_sys::vlib::buffer::VLIB_BUFFER_PRE_DATA_SIZE;
use vppkit_sys::vlib::main::vlib_main_t;

use super::ViolationKind;
use super::ledger::{Broken, Ledger, Place};
use crate::buffers::{self, NO_PACKET};
use crate::features;
use crate::state::{NO_NODE, Place as ArcPlace, State};
use crate::vm::Vm;

/// VPP's `alloc_callback_fn`.
///
/// # Safety
/// `vm` is the host's, `indices` an array of `n`.
pub(crate) unsafe extern "C" fn alloc_callback(
    vm: *mut vlib_main_t,
    _pool: u8,
    indices: *mut u32,
    n: u32,
) -> u32 {
    // SAFETY: by contract.
    let (vm, indices) = unsafe { (Vm::new(vm), std::slice::from_raw_parts(indices, n as usize)) };
    allocated(vm, indices);
    n
}

/// VPP's `free_callback_fn`.
///
/// # Safety
/// `vm` is the host's, `indices` an array of `n`.
pub(crate) unsafe extern "C" fn free_callback(
    vm: *mut vlib_main_t,
    _pool: u8,
    indices: *mut u32,
    n: u32,
) -> u32 {
    // SAFETY: by contract.
    let (vm, indices) = unsafe { (Vm::new(vm), std::slice::from_raw_parts(indices, n as usize)) };
    freed(vm, indices);
    n
}

/// Buffers left the pool.
pub(crate) fn allocated(vm: Vm, indices: &[u32]) {
    let mut state = vm.state();
    let State { pool, ledger, faults, current, nodes, .. } = &mut *state;
    for &index in indices {
        let Some(slot) = pool.slot_of(index) else { continue };
        pool.packet[slot] = NO_PACKET;
        let Some(ledger) = ledger else { continue };
        ledger.prepare(pool, slot);
        if ledger.slots[slot].poisoned {
            if let Some(at) = Ledger::written_when_free(pool, slot) {
                let by = ledger.slots[slot].freed_by;
                let name = nodes.get(by as usize).map_or("the host", |n| n.name.as_str());
                faults.add(ViolationKind::UseAfterFree, by, || {
                    format!(
                        "freed buffer {index}, and its byte {} was written afterwards (by `{name}` or by a node that kept its address)",
                        at as i64 - VLIB_BUFFER_PRE_DATA_SIZE as i64
                    )
                });
            }
            ledger.slots[slot].poisoned = false;
        }
        if ledger.slots[slot].place == Place::Free {
            ledger.n_free = ledger.n_free.saturating_sub(1);
        }
        let s = &mut ledger.slots[slot];
        (s.place, s.head, s.uses) = (Place::Held(*current), false, 0);
    }
}

/// Buffers are about to go back to the pool.
pub(crate) fn freed(vm: Vm, indices: &[u32]) {
    let mut state = vm.state();
    let State { pool, ledger, faults, current, outcomes, nodes, .. } = &mut *state;
    let Some(ledger) = ledger else { return };
    for &index in indices {
        let Some(slot) = pool.slot_of(index) else {
            faults.add(ViolationKind::NoBuffer, *current, || format!("freed {index}, which is no buffer"));
            continue;
        };
        match ledger.slots[slot].place {
            Place::Free => {
                let by = ledger.slots[slot].freed_by;
                let name = nodes.get(by as usize).map_or("the host", |n| n.name.as_str());
                faults.add(ViolationKind::DoubleFree, *current, || {
                    format!("freed buffer {index}, which `{name}` had freed before")
                });
                continue;
            }
            Place::Queued { to, from } if ledger.slots[slot].uses <= 1 && from == *current => {
                let name = nodes.get(to as usize).map_or("the host", |n| n.name.as_str());
                faults.add(ViolationKind::FreedInFlight, *current, || {
                    format!("freed buffer {index} after it had handed it on to `{name}`")
                });
            }
            _ => {}
        }
        if let Some(n) = ledger.overrun(pool, slot) {
            faults.add(ViolationKind::Overrun, *current, || overrun_text(index, n));
        }
        if std::mem::take(&mut ledger.slots[slot].head) {
            *outcomes.freed.entry(*current).or_default() += 1;
            if let Some(node) = nodes.get_mut(*current as usize) {
                node.flow.ended += 1;
            }
        }
        Ledger::poison(pool, slot);
        let s = &mut ledger.slots[slot];
        (s.place, s.poisoned, s.freed_by, s.uses) = (Place::Free, true, *current, 0);
        ledger.n_free += 1;
    }
}

fn overrun_text(index: u32, n: usize) -> String {
    format!("wrote at least {n} bytes behind the room of buffer {index}")
}

/// A packet ends at the running node, which counts it itself and frees it next.
pub(crate) fn ended(vm: Vm, index: u32) {
    let mut state = vm.state();
    let State { pool, ledger, nodes, current, .. } = &mut *state;
    if let (Some(ledger), Some(slot)) = (ledger, pool.slot_of(index))
        && std::mem::take(&mut ledger.slots[slot].head)
        && let Some(node) = nodes.get_mut(*current as usize)
    {
        node.flow.ended += 1;
    }
}

/// A packet of the input enters the graph at the running node.
pub(crate) fn injected(vm: Vm, index: u32, packet: u64, time: u64) {
    let mut state = vm.state();
    let State { pool, ledger, nodes, current, .. } = &mut *state;
    let Some(slot) = pool.slot_of(index) else { return };
    pool.packet[slot] = packet;
    pool.time[slot] = time;
    if let Some(ledger) = ledger {
        ledger.slots[slot].head = true;
        if let Some(node) = nodes.get_mut(*current as usize) {
            node.flow.received += 1;
        }
    }
}

/// Buffers were put into a frame to `to`. Those that may not go on are taken out; gives how many remain.
pub(crate) fn handed_on(vm: Vm, from: u32, to: u32, indices: &mut [u32]) -> usize {
    let mut kept = 0;
    for i in 0..indices.len() {
        let index = indices[i];
        let verdict = admit(&mut vm.state(), from, to, index);
        match verdict {
            Verdict::GoesOn => {
                indices[kept] = index;
                kept += 1;
            }
            Verdict::IsElsewhere => {}
            Verdict::EndsHere => lose(vm, from, index),
        }
    }
    kept
}

/// What becomes of a buffer in a frame.
enum Verdict {
    GoesOn,
    /// It is no buffer, or somebody else has it.
    IsElsewhere,
    /// No node may see it.
    EndsHere,
}

/// Whether one buffer may be handed on. If so, it is on its way then.
fn admit(state: &mut State, from: u32, to: u32, index: u32) -> Verdict {
    let State { pool, ledger, faults, nodes, outcomes, arcs, release, .. } = state;
    let Some(ledger) = ledger else { return Verdict::GoesOn };
    let name = |n: u32| nodes.get(n as usize).map_or("the host", |n| n.name.as_str());

    let Some(slot) = pool.slot_of(index) else {
        faults.add(ViolationKind::NoBuffer, from, || {
            format!("enqueued {index} to `{}`, which is no buffer", name(to))
        });
        return Verdict::IsElsewhere;
    };
    if ledger.slots[slot].place == Place::Free {
        ledger.sync(pool, outcomes, from);
    }
    let references = pool.references(slot);
    match ledger.slots[slot].place {
        Place::Free => {
            let by = ledger.slots[slot].freed_by;
            faults.add(ViolationKind::EnqueuedFree, from, || {
                format!("enqueued buffer {index} to `{}`, which is free (freed by `{}`)", name(to), name(by))
            });
            return Verdict::IsElsewhere;
        }
        Place::Queued { to: first, .. } if ledger.slots[slot].uses >= references => {
            faults.add(ViolationKind::DoubleEnqueue, from, || {
                format!(
                    "enqueued buffer {index} to `{}`, which was already on its way to `{}`",
                    name(to),
                    name(first)
                )
            });
            return Verdict::IsElsewhere;
        }
        _ => {}
    }

    match Ledger::check_bounds(pool, index) {
        Ok(()) => {}
        Err(Broken::Bounds(what)) => {
            faults.add(ViolationKind::Bounds, from, || what);
            return Verdict::EndsHere;
        }
        Err(Broken::NoBuffer(next)) => {
            faults.add(ViolationKind::NoBuffer, from, || {
                format!("enqueued a chain that goes from buffer {index} to {next}, which is no buffer")
            });
            pool.cut_chain(slot);
            return Verdict::EndsHere;
        }
        Err(Broken::Loop) => {
            faults.add(ViolationKind::NoBuffer, from, || {
                format!("enqueued buffer {index}, whose chain never ends")
            });
            pool.cut_chain(slot);
            return Verdict::EndsHere;
        }
    }

    if let Some(places) = nodes.get(to as usize).and_then(|n| n.places.as_ref()) {
        // SAFETY: a buffer of the pool.
        let (arc, position) = unsafe { features::place(release, pool.buffer_at(slot)) };
        if !places.contains(&ArcPlace::new(release, arc, position)) {
            faults.add(ViolationKind::FeaturePosition, from, || {
                let feature = name(to);
                let of: Vec<String> = arcs
                    .iter()
                    .filter(|a| a.features.iter().any(|f| f.node == feature))
                    .map(|a| format!("`{}`", a.name))
                    .collect();
                format!(
                    "enqueued buffer {index} to `{feature}`, a feature of arc {}, off the arc: no string of the arc leads there with current_config_index {position}{}",
                    of.join(", "),
                    match release.arc_heap {
                        ArcHeap::PerArc { .. } => format!(" and feature_arc_index {arc}"),
                        ArcHeap::Shared { .. } => String::new(),
                    }
                )
            });
            return Verdict::EndsHere;
        }
    }

    // Packets that became part of this one.
    let mut merged = 0;
    let mut shared_twice = None;
    let mut overrun = None;
    let _ = Ledger::walk(pool, index, |s, i, _| {
        ledger.prepare(pool, s);
        if let Some(n) = ledger.overrun(pool, s) {
            overrun.get_or_insert((i, n));
        }
        let references = pool.references(s);
        let slot = &mut ledger.slots[s];
        if matches!(slot.place, Place::Queued { .. })
            && slot.uses >= references
            && s != pool.slot_of(index).unwrap_or(s)
        {
            shared_twice.get_or_insert(i);
        }
        if !matches!(slot.place, Place::Queued { .. }) {
            slot.uses = 0;
        }
        slot.uses = slot.uses.saturating_add(1);
        slot.place = Place::Queued { from, to };
        if i != index {
            merged += u64::from(std::mem::take(&mut slot.head));
        }
    });
    if let Some((i, n)) = overrun {
        faults.add(ViolationKind::Overrun, from, || overrun_text(i, n));
    }
    if let Some(i) = shared_twice {
        faults.add(ViolationKind::DoubleEnqueue, from, || {
            format!("enqueued buffer {i} in the chains of two packets without a second reference")
        });
    }
    ledger.slots[slot].hash = Ledger::digest(pool, index);
    let is_new = !std::mem::replace(&mut ledger.slots[slot].head, true);
    if is_new {
        outcomes.created += 1;
    }
    if merged > 0 {
        *outcomes.freed.entry(from).or_default() += merged;
    }
    if let Some(node) = nodes.get_mut(from as usize) {
        node.flow.handed_on += 1;
        node.flow.created += u64::from(is_new);
        node.flow.ended += merged;
    }
    Verdict::GoesOn
}

/// Takes a packet that no node may see any more out of the graph. Does nothing if `index` is no buffer's.
pub(crate) fn lose(vm: Vm, by: u32, index: u32) {
    let mut state = vm.state();
    let State { pool, ledger, outcomes, nodes, .. } = &mut *state;
    let Some(slot) = pool.slot_of(index) else { return };
    *outcomes.lost.entry(by).or_default() += 1;
    if let Some(ledger) = ledger {
        let was_counted = std::mem::take(&mut ledger.slots[slot].head);
        if !was_counted {
            outcomes.created += 1;
        }
        if let Some(node) = nodes.get_mut(by as usize) {
            node.flow.ended += 1;
            node.flow.created += u64::from(!was_counted);
        }
        if ledger.slots[slot].place == Place::Free {
            return;
        }
    }
    // Freeing follows the chain.
    if Ledger::walk(pool, index, |_, _, _| ()).is_err() {
        pool.cut_chain(slot);
    }
    drop(state);
    // SAFETY: the index is a buffer's, its chain ends, and no node gets it any more.
    unsafe { buffers::free(vm.ptr(), &[index]) };
}

/// A frame is about to be dispatched to `node`. Packets that are not as they were handed on are reported;
/// those that are gone are taken out. Gives how many remain.
pub(crate) fn received(vm: Vm, node: u32, indices: &mut [u32]) -> usize {
    let mut state = vm.state();
    let State { pool, ledger, faults, nodes, .. } = &mut *state;
    let Some(ledger) = ledger else { return indices.len() };
    let mut kept = 0;
    for i in 0..indices.len() {
        let index = indices[i];
        let Some(slot) = pool.slot_of(index) else { continue };
        let Place::Queued { from, .. } = ledger.slots[slot].place else { continue };
        if Ledger::digest(pool, index) != ledger.slots[slot].hash {
            let name = nodes[node as usize].name.as_str();
            faults.add(ViolationKind::UseAfterEnqueue, from, || {
                format!("handed buffer {index} on to `{name}`, and it was changed before `{name}` ran")
            });
        }
        let broken = Ledger::check_bounds(pool, index).is_err();
        let _ = Ledger::walk(pool, index, |s, _, _| {
            let slot = &mut ledger.slots[s];
            slot.uses = slot.uses.saturating_sub(1);
            if slot.uses == 0 {
                slot.place = Place::Held(node);
            }
        });
        if broken {
            // Reported above as a change; no node could read such a packet, nor free it.
            pool.cut_chain(slot);
            pool.clear_packet(slot);
        }
        nodes[node as usize].flow.received += 1;
        indices[kept] = index;
        kept += 1;
    }
    kept
}

/// The run is over: who still has buffers, and whether every node's packets add up.
pub(crate) fn finish(vm: Vm) {
    let mut state = vm.state();
    let State { pool, ledger, faults, nodes, outcomes, .. } = &mut *state;
    let Some(ledger) = ledger else { return };
    ledger.sync(pool, outcomes, NO_NODE);
    let mut kept: Vec<(u32, u64, u64, u32)> = Vec::new();
    for (i, slot) in ledger.slots.iter_mut().enumerate() {
        let holder = match slot.place {
            Place::Free => continue,
            Place::Held(node) => node,
            Place::Queued { to, .. } => to,
        };
        let counted = u64::from(std::mem::take(&mut slot.head));
        match kept.iter_mut().find(|k| k.0 == holder) {
            Some(k) => {
                k.1 += 1;
                k.2 += counted;
            }
            None => kept.push((holder, 1, counted, pool.index_of(i))),
        }
    }
    for (node, n, packets, first) in kept {
        faults.add(ViolationKind::Leak, node, || {
            let s = if n == 1 { "" } else { "s" };
            format!("kept {n} buffer{s} that it neither enqueued nor freed; the first is {first}")
        });
        if packets > 0 {
            *outcomes.lost.entry(node).or_default() += packets;
        }
        if let Some(node) = nodes.get_mut(node as usize) {
            node.flow.ended += packets;
        }
    }
    for (i, node) in nodes.iter().enumerate() {
        let f = node.flow;
        if f.received + f.created != f.handed_on + f.ended && faults.list(|_| String::new()).is_empty() {
            faults.add(ViolationKind::Balance, i as u32, || {
                format!(
                    "received {} packets and made {}, but handed on {} and ended {}",
                    f.received, f.created, f.handed_on, f.ended
                )
            });
        }
    }
}
