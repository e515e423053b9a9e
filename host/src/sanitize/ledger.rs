//! Who has each buffer, and what is looked at in buffers and chains.

use std::collections::HashSet;

use vppkit_sys::vlib::buffer::{
    VLIB_BUFFER_IS_TRACED, VLIB_BUFFER_NEXT_PRESENT, VLIB_BUFFER_PRE_DATA_SIZE, vlib_buffer_t,
};

use crate::buffers::{self, CANARY_BYTES, Pool};
use crate::state::{NO_NODE, Outcomes, State};

/// Who has a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Free,
    Held(u32),
    Queued { from: u32, to: u32 },
}

/// What is known of one buffer.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) place: Place,
    /// Of the packet, when it was handed on.
    pub(super) hash: u64,
    /// It starts a packet that is counted.
    pub(super) head: bool,
    /// Its room was filled with [`POISON`] when it was freed.
    pub(super) poisoned: bool,
    /// The canary was written.
    pub(super) prepared: bool,
    /// How many frames it is in, through the chains of packets that share it.
    pub(super) uses: u8,
    /// Who freed it last.
    pub(super) freed_by: u32,
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

/// Fills the room of free buffers.
const POISON: u8 = 0xa5;
/// Fills what is behind the room of each buffer.
const CANARY: u8 = 0xc7;

/// Who has each buffer.
pub(crate) struct Ledger {
    pub(super) slots: Vec<Slot>,
    /// How many are free, to notice when nodes used the pool without the callbacks.
    pub(super) n_free: usize,
}

/// Why a chain cannot be followed, or may not be.
pub(super) enum Broken {
    NoBuffer(u32),
    Loop,
    Bounds(String),
}

impl Ledger {
    pub(crate) fn new(count: usize) -> Self {
        Self { slots: vec![EMPTY; count], n_free: count }
    }

    /// Visits each buffer of a packet.
    pub(super) fn walk(
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

    pub(super) fn check_bounds(pool: &Pool, head: u32) -> Result<(), Broken> {
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
    pub(super) fn digest(pool: &Pool, head: u32) -> u64 {
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

    pub(super) fn prepare(&mut self, pool: &Pool, slot: usize) {
        if !self.slots[slot].prepared {
            self.slots[slot].prepared = true;
            // SAFETY: as in `canary`.
            unsafe { Self::canary(pool, slot).write([CANARY; CANARY_BYTES]) };
        }
    }

    /// How far behind the room something was written; the canary is made whole again.
    pub(super) fn overrun(&mut self, pool: &Pool, slot: usize) -> Option<usize> {
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

    /// Headroom and data of a buffer.
    fn room(pool: &Pool, slot: usize) -> (*mut u8, usize) {
        // SAFETY: headroom and data follow the metadata.
        let start = unsafe { pool.buffer_at(slot).cast::<u8>().add(128) };
        (start, VLIB_BUFFER_PRE_DATA_SIZE + pool.data_size)
    }

    /// Fills the room of a buffer that is going to be free.
    pub(super) fn poison(pool: &Pool, slot: usize) {
        let (start, len) = Self::room(pool, slot);
        // SAFETY: the room of a buffer; the host keeps no references into buffers.
        unsafe { start.write_bytes(POISON, len) };
    }

    /// The first byte of a poisoned room that was written since.
    pub(super) fn written_when_free(pool: &Pool, slot: usize) -> Option<usize> {
        let (start, len) = Self::room(pool, slot);
        // SAFETY: the room of a buffer that nobody has.
        let room = unsafe { std::slice::from_raw_parts(start, len) };
        // Without an early exit the compiler compares many bytes at once.
        let is_whole = room.iter().fold(0, |differs, &b| differs | (b ^ POISON)) == 0;
        if is_whole { None } else { room.iter().position(|&b| b != POISON) }
    }

    /// Brings the ledger in line with VPP's lists, after a node used them without the callbacks.
    pub(super) fn sync(&mut self, pool: &Pool, outcomes: &mut Outcomes, current: u32) {
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
