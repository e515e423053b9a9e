//! The buffer ledger: who has each buffer, and what no node may do to it.
//!
//! A buffer is free, held by one node, or handed on to one. Nodes take and give through the pool, whose
//! callbacks tell the ledger, and through frames, which it checks when they are put and when they are
//! dispatched.
//!
//! Buffers that must not go on are taken out of the frame, and those behind them move up, before VPP's own rule
//! for the frame runs. So the next node sees a shorter frame, and a frame that is empty then is not dispatched. What is
//! counted afterwards, such as the vectors of each next node, does not count them.

use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::Ordering;

use vppkit_sys::release::ArcHeap;
use vppkit_sys::vlib::buffer::{
    VLIB_BUFFER_IS_TRACED, VLIB_BUFFER_NEXT_PRESENT, VLIB_BUFFER_PRE_DATA_SIZE, vlib_buffer_t,
};
use vppkit_sys::vlib::main::vlib_main_t;

use crate::buffers::{self, CANARY_BYTES, NO_PACKET, Pool};
use crate::features;
use crate::state::{NO_NODE, Outcomes, Place as ArcPlace, State, state};

/// Which rule was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ViolationKind {
    /// A buffer was neither enqueued nor freed.
    Leak,
    /// A buffer was freed twice.
    DoubleFree,
    /// A buffer was freed after it was handed on.
    FreedInFlight,
    /// A buffer was enqueued twice.
    DoubleEnqueue,
    /// A free buffer was enqueued.
    EnqueuedFree,
    /// An index that is no buffer's was enqueued.
    NoBuffer,
    /// A buffer was enqueued to a next node that does not exist.
    NoNext,
    /// Something was written behind a buffer's room.
    Overrun,
    /// A buffer was changed after it was handed on.
    UseAfterEnqueue,
    /// A buffer was changed after it was freed.
    UseAfterFree,
    /// The packet is said to be where the buffer has no room.
    Bounds,
    /// A packet was enqueued to a feature, and its position on the arc is none from which it gets there: it went
    /// past the arc, or its position was changed.
    FeaturePosition,
    /// A frame has more than 256 vectors, or something was written behind them.
    FrameOverrun,
    /// A node wrote behind its 56 bytes of runtime data.
    RuntimeData,
    /// A trace record is longer than what VPP has room for.
    TraceRecord,
    /// A plugin did not withdraw a registration when it was unloaded.
    LeftBehind,
    /// A node's packets do not add up.
    Balance,
}

/// A rule of VPP's that a node broke.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Which rule.
    pub kind: ViolationKind,
    /// The node that broke it.
    pub node: String,
    /// What happened, the first time.
    pub message: String,
    /// How often it happened.
    pub count: u64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.node, self.message)?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}

/// The violations of a run, one for each kind and node.
#[derive(Default)]
pub(crate) struct Faults(Vec<(ViolationKind, u32, String, u64)>);

impl Faults {
    pub(crate) fn add(&mut self, kind: ViolationKind, node: u32, message: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|(k, n, ..)| (*k, *n) == (kind, node)) {
            Some((.., count)) => *count += 1,
            None => self.0.push((kind, node, message(), 1)),
        }
    }

    pub(crate) fn list(&self, name: impl Fn(u32) -> String) -> Vec<Violation> {
        self.0
            .iter()
            .map(|(kind, node, message, count)| Violation {
                kind: *kind,
                node: name(*node),
                message: message.clone(),
                count: *count,
            })
            .collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Free,
    Held(u32),
    Queued { from: u32, to: u32 },
}

#[derive(Clone, Copy)]
struct Slot {
    place: Place,
    /// Of the packet, when it was handed on.
    hash: u64,
    /// It starts a packet that is counted.
    head: bool,
    /// Its room was filled with [`POISON`] when it was freed.
    poisoned: bool,
    /// The canary was written.
    prepared: bool,
    /// How many frames it is in, through the chains of packets that share it.
    uses: u8,
    /// Who freed it last.
    freed_by: u32,
}

const EMPTY: Slot = Slot {
    place: Place::Free,
    hash: 0,
    head: false,
    poisoned: false,
    prepared: false,
    uses: 0,
    freed_by: NO_NODE,
};

const POISON: u8 = 0xa5;
const CANARY: u8 = 0xc7;

/// Who has each buffer.
pub(crate) struct Ledger {
    slots: Vec<Slot>,
    n_free: usize,
}

/// Why a chain cannot be followed, or may not be.
enum Broken {
    NoBuffer(u32),
    Loop,
    Bounds(String),
}

impl Ledger {
    pub(crate) fn new(count: usize) -> Self {
        Self { slots: vec![EMPTY; count], n_free: count }
    }

    /// Visits each buffer of a packet.
    fn walk(
        pool: &Pool,
        head: u32,
        mut visit: impl FnMut(usize, u32, *mut vlib_buffer_t),
    ) -> Result<(), Broken> {
        let mut index = head;
        for _ in 0..=pool.count {
            let slot = pool.slot_of(index).ok_or(Broken::NoBuffer(index))?;
            let b = pool.buffer_at(slot);
            visit(slot, index, b);
            // SAFETY: `b` is a buffer of the pool.
            let (flags, next) = unsafe { ((*b).flags, (*b).next_buffer) };
            if flags & VLIB_BUFFER_NEXT_PRESENT == 0 {
                return Ok(());
            }
            index = next;
        }
        Err(Broken::Loop)
    }

    fn check_bounds(pool: &Pool, head: u32) -> Result<(), Broken> {
        let mut fault = None;
        Self::walk(pool, head, |_, index, b| {
            // SAFETY: `b` is a buffer of the pool.
            let (start, len) = unsafe { (i32::from((*b).current_data), i32::from((*b).current_length)) };
            if start < -(VLIB_BUFFER_PRE_DATA_SIZE as i32) || start + len > pool.data_size as i32 {
                fault.get_or_insert_with(|| {
                    Broken::Bounds(format!(
                        "enqueued buffer {index} with current_data {start} and current_length {len}; \
                         a buffer has {VLIB_BUFFER_PRE_DATA_SIZE} bytes of headroom and {} of data",
                        pool.data_size
                    ))
                });
            }
        })?;
        fault.map_or(Ok(()), Err)
    }

    /// A digest of all that the next node is to find as it was: metadata, and the packet's bytes. Tracing
    /// may mark a buffer later, and others may drop their reference to a shared one.
    fn digest(pool: &Pool, head: u32) -> u64 {
        let mut h = 0x9e37_79b9_7f4a_7c15;
        let _ = Self::walk(pool, head, |_, _, b| {
            // SAFETY: `b` is a buffer of the pool, and its bounds were checked.
            unsafe {
                let mut metadata = b.cast::<[u8; 128]>().read();
                let flags = ((*b).flags & !VLIB_BUFFER_IS_TRACED).to_ne_bytes();
                metadata[4..8].copy_from_slice(&flags);
                metadata[12] = 0;
                metadata[64..68].fill(0);
                h = mix(h, &metadata);
                let (start, len) = ((*b).current_data, (*b).current_length as usize);
                if i32::from(start) >= -(VLIB_BUFFER_PRE_DATA_SIZE as i32)
                    && i32::from(start) + len as i32 <= pool.data_size as i32
                {
                    h = mix(h, buffers::bytes_from(b, start, len));
                }
            }
        });
        h
    }

    fn canary(pool: &Pool, slot: usize) -> *mut [u8; CANARY_BYTES] {
        // SAFETY: the canary is between the data and the next buffer.
        unsafe { pool.buffer_at(slot).cast::<u8>().add(size_of::<vlib_buffer_t>() + pool.data_size).cast() }
    }

    fn prepare(&mut self, pool: &Pool, slot: usize) {
        if !self.slots[slot].prepared {
            self.slots[slot].prepared = true;
            // SAFETY: as in `canary`.
            unsafe { Self::canary(pool, slot).write([CANARY; CANARY_BYTES]) };
        }
    }

    /// How far behind the room something was written; the canary is made whole again.
    fn overrun(&mut self, pool: &Pool, slot: usize) -> Option<usize> {
        if !self.slots[slot].prepared {
            return None;
        }
        // SAFETY: as in `canary`.
        unsafe {
            let canary = Self::canary(pool, slot);
            if *canary == [CANARY; CANARY_BYTES] {
                return None;
            }
            let last = (*canary).iter().rposition(|&b| b != CANARY)?;
            canary.write([CANARY; CANARY_BYTES]);
            Some(last + 1)
        }
    }

    fn room(pool: &Pool, slot: usize) -> (*mut u8, usize) {
        // SAFETY: headroom and data follow the metadata.
        let start = unsafe { pool.buffer_at(slot).cast::<u8>().add(128) };
        (start, VLIB_BUFFER_PRE_DATA_SIZE + pool.data_size)
    }

    /// Brings the ledger in line with VPP's lists, after a node used them without the callbacks.
    fn sync(&mut self, pool: &Pool, outcomes: &mut Outcomes, current: u32) {
        if pool.n_free() == self.n_free {
            return;
        }
        let free: HashSet<usize> = pool.free_list().into_iter().filter_map(|i| pool.slot_of(i)).collect();
        for slot in 0..self.slots.len() {
            match (self.slots[slot].place == Place::Free, free.contains(&slot)) {
                (false, true) => {
                    if std::mem::take(&mut self.slots[slot].head) {
                        *outcomes.freed.entry(current).or_default() += 1;
                    }
                    self.slots[slot].place = Place::Free;
                    self.slots[slot].freed_by = current;
                }
                (true, false) => self.slots[slot].place = Place::Held(current),
                _ => {}
            }
        }
        self.n_free = pool.n_free();
    }
}

fn mix(mut h: u64, bytes: &[u8]) -> u64 {
    const K: u64 = 0xff51_afd7_ed55_8ccd;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        h = (h ^ u64::from_ne_bytes(chunk.try_into().unwrap_or_default())).wrapping_mul(K).rotate_left(29);
    }
    let mut tail = [0; 8];
    tail[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    (h ^ u64::from_ne_bytes(tail) ^ bytes.len() as u64).wrapping_mul(K).rotate_left(31)
}

/// VPP's `alloc_callback_fn`.
pub(crate) unsafe extern "C" fn alloc_callback(
    vm: *mut vlib_main_t,
    _pool: u8,
    indices: *mut u32,
    n: u32,
) -> u32 {
    // SAFETY: VPP's inline functions pass an array of `n`.
    unsafe { allocated(vm, std::slice::from_raw_parts(indices, n as usize)) };
    n
}

/// VPP's `free_callback_fn`.
pub(crate) unsafe extern "C" fn free_callback(
    vm: *mut vlib_main_t,
    _pool: u8,
    indices: *mut u32,
    n: u32,
) -> u32 {
    // SAFETY: as above.
    unsafe { freed(vm, std::slice::from_raw_parts(indices, n as usize)) };
    n
}

/// Buffers left the pool.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn allocated(vm: *mut vlib_main_t, indices: &[u32]) {
    // SAFETY: by contract.
    let State { pool, ledger, faults, current, nodes, .. } = unsafe { state(vm) };
    for &index in indices {
        let Some(slot) = pool.slot_of(index) else { continue };
        pool.packet[slot] = NO_PACKET;
        let Some(ledger) = ledger else { continue };
        ledger.prepare(pool, slot);
        if ledger.slots[slot].poisoned {
            let (start, len) = Ledger::room(pool, slot);
            // SAFETY: the room of a buffer of the pool.
            let room = unsafe { std::slice::from_raw_parts(start, len) };
            // Without an early exit the compiler compares many bytes at once.
            let is_whole = room.iter().fold(0, |differs, &b| differs | (b ^ POISON)) == 0;
            if !is_whole && let Some(at) = room.iter().position(|&b| b != POISON) {
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
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn freed(vm: *mut vlib_main_t, indices: &[u32]) {
    // SAFETY: by contract.
    let State { pool, ledger, faults, current, outcomes, nodes, .. } = unsafe { state(vm) };
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
        let (start, len) = Ledger::room(pool, slot);
        // SAFETY: the room of a buffer that nobody has any more.
        unsafe { start.write_bytes(POISON, len) };
        let s = &mut ledger.slots[slot];
        (s.place, s.poisoned, s.freed_by, s.uses) = (Place::Free, true, *current, 0);
        ledger.n_free += 1;
    }
}

fn overrun_text(index: u32, n: usize) -> String {
    format!("wrote at least {n} bytes behind the room of buffer {index}")
}

/// A packet ends at the running node, which counts it itself and frees it next.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn ended(vm: *mut vlib_main_t, index: u32) {
    // SAFETY: by contract.
    let State { pool, ledger, nodes, current, .. } = unsafe { state(vm) };
    if let (Some(ledger), Some(slot)) = (ledger, pool.slot_of(index))
        && std::mem::take(&mut ledger.slots[slot].head)
        && let Some(node) = nodes.get_mut(*current as usize)
    {
        node.flow.ended += 1;
    }
}

/// A packet of the input enters the graph at the running node.
///
/// # Safety
/// `vm` is the host's and `index` a buffer that the host took.
pub(crate) unsafe fn injected(vm: *mut vlib_main_t, index: u32, packet: u64, time: u64) {
    // SAFETY: by contract.
    let State { pool, ledger, nodes, current, .. } = unsafe { state(vm) };
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
///
/// # Safety
/// `vm` is the host's; `indices` are the frame's new elements.
pub(crate) unsafe fn handed_on(vm: *mut vlib_main_t, from: u32, to: u32, indices: &mut [u32]) -> usize {
    // SAFETY: by contract.
    let st = unsafe { state(vm) };
    if st.ledger.is_none() {
        return indices.len();
    }
    let mut kept = 0;
    for i in 0..indices.len() {
        let index = indices[i];
        // SAFETY: by contract.
        if unsafe { admit(vm, from, to, index) } {
            indices[kept] = index;
            kept += 1;
        }
    }
    kept
}

/// Whether one buffer may be handed on. If not, it has been accounted for.
unsafe fn admit(vm: *mut vlib_main_t, from: u32, to: u32, index: u32) -> bool {
    // SAFETY: as for `handed_on`.
    let State { pool, ledger, faults, nodes, outcomes, arcs, release, .. } = unsafe { state(vm) };
    let Some(ledger) = ledger else { return true };
    let name = |n: u32| nodes.get(n as usize).map_or("the host", |n| n.name.as_str());

    let Some(slot) = pool.slot_of(index) else {
        faults.add(ViolationKind::NoBuffer, from, || {
            format!("enqueued {index} to `{}`, which is no buffer", name(to))
        });
        return false;
    };
    if ledger.slots[slot].place == Place::Free {
        ledger.sync(pool, outcomes, from);
    }
    // SAFETY: a buffer of the pool.
    let references = unsafe { (*pool.buffer_at(slot)).ref_count.load(Ordering::Relaxed) }.max(1);
    match ledger.slots[slot].place {
        Place::Free => {
            let by = ledger.slots[slot].freed_by;
            faults.add(ViolationKind::EnqueuedFree, from, || {
                format!("enqueued buffer {index} to `{}`, which is free (freed by `{}`)", name(to), name(by))
            });
            return false;
        }
        Place::Queued { to: first, .. } if ledger.slots[slot].uses >= references => {
            faults.add(ViolationKind::DoubleEnqueue, from, || {
                format!(
                    "enqueued buffer {index} to `{}`, which was already on its way to `{}`",
                    name(to),
                    name(first)
                )
            });
            return false;
        }
        _ => {}
    }

    match Ledger::check_bounds(pool, index) {
        Ok(()) => {}
        Err(Broken::Bounds(what)) => {
            faults.add(ViolationKind::Bounds, from, || what);
            // SAFETY: `index` is a buffer's.
            unsafe { lose(vm, from, index) };
            return false;
        }
        Err(Broken::NoBuffer(next)) => {
            faults.add(ViolationKind::NoBuffer, from, || {
                format!("enqueued a chain that goes from buffer {index} to {next}, which is no buffer")
            });
            // SAFETY: as above; the chain is cut first.
            unsafe {
                (*pool.buffer_at(slot)).flags &= !VLIB_BUFFER_NEXT_PRESENT;
                lose(vm, from, index);
            }
            return false;
        }
        Err(Broken::Loop) => {
            faults.add(ViolationKind::NoBuffer, from, || {
                format!("enqueued buffer {index}, whose chain never ends")
            });
            // SAFETY: as above.
            unsafe {
                (*pool.buffer_at(slot)).flags &= !VLIB_BUFFER_NEXT_PRESENT;
                lose(vm, from, index);
            }
            return false;
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
            // SAFETY: as above.
            unsafe { lose(vm, from, index) };
            return false;
        }
    }

    // Packets that became part of this one.
    let mut merged = 0;
    let mut shared_twice = None;
    let mut overrun = None;
    let _ = Ledger::walk(pool, index, |s, i, b| {
        ledger.prepare(pool, s);
        if let Some(n) = ledger.overrun(pool, s) {
            overrun.get_or_insert((i, n));
        }
        // SAFETY: a buffer of the pool.
        let references = unsafe { (*b).ref_count.load(Ordering::Relaxed) }.max(1);
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
    true
}

/// Takes a packet that no node may see any more out of the graph.
///
/// # Safety
/// `vm` is the host's and `index` a buffer's that is in no frame.
pub(crate) unsafe fn lose(vm: *mut vlib_main_t, by: u32, index: u32) {
    // SAFETY: by contract.
    let State { pool, ledger, outcomes, nodes, .. } = unsafe { state(vm) };
    *outcomes.lost.entry(by).or_default() += 1;
    if let Some(ledger) = ledger
        && let Some(slot) = pool.slot_of(index)
    {
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
    // SAFETY: by contract.
    unsafe { buffers::free(vm, &[index]) };
}

/// A frame is about to be dispatched to `node`. Packets that are not as they were handed on are reported;
/// those that are gone are taken out. Gives how many remain.
///
/// # Safety
/// `vm` is the host's; `indices` are the frame's elements.
pub(crate) unsafe fn received(vm: *mut vlib_main_t, node: u32, indices: &mut [u32]) -> usize {
    // SAFETY: by contract.
    let State { pool, ledger, faults, nodes, .. } = unsafe { state(vm) };
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
            // Reported above as a change; no node could read such a packet.
            // SAFETY: a buffer of the pool; its chain is cut so that freeing it ends.
            unsafe {
                let b = pool.buffer_at(slot);
                (*b).flags &= !VLIB_BUFFER_NEXT_PRESENT;
                ((*b).current_data, (*b).current_length) = (0, 0);
            }
        }
        nodes[node as usize].flow.received += 1;
        indices[kept] = index;
        kept += 1;
    }
    kept
}

/// The run is over: who still has buffers, and whether every node's packets add up.
///
/// # Safety
/// `vm` is the host's.
pub(crate) unsafe fn finish(vm: *mut vlib_main_t) {
    // SAFETY: by contract.
    let State { pool, ledger, faults, nodes, outcomes, .. } = unsafe { state(vm) };
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

/// Who keeps most buffers, for the message that there are none left.
pub(crate) fn biggest_holder(st: &State) -> Option<(String, usize)> {
    let ledger = st.ledger.as_ref()?;
    let mut counts = std::collections::HashMap::<u32, usize>::new();
    for slot in &ledger.slots {
        if let Place::Held(node) = slot.place {
            *counts.entry(node).or_default() += 1;
        }
    }
    let (node, n) = counts.into_iter().max_by_key(|&(_, n)| n)?;
    Some((st.name(node).to_owned(), n))
}
