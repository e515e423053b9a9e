//! A packet as a node sees it.

use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use vppkit_sys::vlib::buffer::{
    VLIB_BUFFER_IS_TRACED, VLIB_BUFFER_NEXT_PRESENT, VLIB_BUFFER_PRE_DATA_SIZE,
    VLIB_BUFFER_TOTAL_LENGTH_VALID, vlib_buffer_t,
};
use vppkit_sys::vlib::main::vlib_main_t;
use vppkit_sys::vnet::buffer::{
    VLIB_RX, VLIB_TX, VNET_BUFFER_F_L2_HDR_OFFSET_VALID, VNET_BUFFER_F_L3_HDR_OFFSET_VALID,
    VNET_BUFFER_F_L4_HDR_OFFSET_VALID, vnet_buffer_opaque_t,
};

use crate::__private::buffer_memory::BufferMemory;
use crate::SwIfIndex;
use crate::header::Header;

/// A packet of the frame that a node was called with: a `vlib_buffer_t` and the chain behind it.
///
/// The packet starts where the node before left it, for example at the IPv4 header on the arc `ip4-unicast`
/// (`vlib_buffer_get_current`). It belongs to the frame: the node says where it goes by what it returns, and
/// cannot keep it.
///
/// Most packets are in one buffer. A larger one is a chain; then [`data`](Self::data) and headers are of its first
/// buffer, and [`chain`](Self::chain) walks them all.
pub struct Packet<'frame> {
    /// Invariant: a buffer of a frame that this thread is processing, for `'frame`.
    buffer: NonNull<vlib_buffer_t>,
    /// Invariant: the `vlib_main_t` of this thread.
    vm: NonNull<vlib_main_t>,
    frame: PhantomData<&'frame mut vlib_buffer_t>,
}

/// The packet has fewer bytes than asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short;

/// There are fewer bytes of room in the buffer than asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

/// Why bytes of a packet cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// The packet has fewer bytes than asked for.
    Short,
    /// The buffer has several owners (`ref_count` is above 1): what is written would change other packets too.
    Shared,
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the packet is too short")
    }
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the buffer has no room")
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unwritable::Short => "the packet is too short",
            Unwritable::Shared => "the buffer has several owners",
        })
    }
}

impl core::error::Error for Short {}
impl core::error::Error for NoRoom {}
impl core::error::Error for Unwritable {}

impl<'frame> Packet<'frame> {
    /// # Safety
    /// `buffer` is a buffer of a frame that the caller is processing, no other reference to it exists for `'frame`,
    /// and `vm` is the `vlib_main_t` of this thread.
    #[inline(always)]
    pub(crate) unsafe fn new(vm: NonNull<vlib_main_t>, buffer: NonNull<vlib_buffer_t>) -> Self {
        Self { buffer, vm, frame: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn buffer(&self) -> *mut vlib_buffer_t {
        self.buffer.as_ptr()
    }

    /// The metadata, but for `data`.
    #[inline(always)]
    fn meta(&self) -> &vlib_buffer_t {
        // SAFETY: the invariant of `buffer`. The mirror ends before the packet's data, and other threads change
        // none of the fields read here while the frame is ours.
        unsafe { self.buffer.as_ref() }
    }

    #[inline(always)]
    fn meta_mut(&mut self) -> &mut vlib_buffer_t {
        // SAFETY: the invariant of `buffer`; `&mut self` is the only way to it.
        unsafe { self.buffer.as_mut() }
    }

    #[inline(always)]
    fn vnet(&self) -> &vnet_buffer_opaque_t {
        // SAFETY: vnet lays this record over `opaque`, which is 40 bytes at an offset divisible by 8; any bytes are
        // a value of it.
        unsafe { &*(&raw const (*self.buffer.as_ptr()).opaque).cast() }
    }

    /// Where the packet starts in memory: `vlib_buffer_get_current`.
    #[inline(always)]
    fn current(&self) -> *mut u8 {
        let offset = isize::from(self.meta().current_data);
        // SAFETY: every node keeps `current_data` inside the buffer: from -128, the headroom, to the size of its data.
        unsafe { (&raw mut (*self.buffer.as_ptr()).data).cast::<u8>().offset(offset) }
    }

    /// Bytes of the packet in its first buffer: `vlib_buffer_t::current_length`.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty, reason = "a packet of no bytes is not a case of its own")]
    pub fn len(&self) -> usize {
        usize::from(self.meta().current_length)
    }

    /// Bytes of the whole packet: `vlib_buffer_length_in_chain`.
    #[inline]
    pub fn len_in_chain(&self) -> usize {
        let meta = self.meta();
        if meta.flags & VLIB_BUFFER_NEXT_PRESENT == 0 {
            self.len()
        } else if meta.flags & VLIB_BUFFER_TOTAL_LENGTH_VALID != 0 {
            self.len() + meta.total_length_not_including_first_buffer as usize
        } else {
            self.chain().map(<[u8]>::len).sum()
        }
    }

    /// The packet's bytes in its first buffer.
    #[inline(always)]
    pub fn data(&self) -> &[u8] {
        // SAFETY: `current_length` bytes from `current_data` are packet data inside the buffer; `&self` keeps them
        // from being changed.
        unsafe { core::slice::from_raw_parts(self.current(), self.len()) }
    }

    /// The packet's bytes in its first buffer, to change them.
    ///
    /// # Errors
    /// [`Unwritable::Shared`] if the buffer has several owners.
    #[inline]
    pub fn data_mut(&mut self) -> Result<&mut [u8], Unwritable> {
        if self.meta().ref_count.load(Ordering::Relaxed) > 1 {
            return Err(Unwritable::Shared);
        }
        // SAFETY: as in `data`; the buffer has one owner and `&mut self` is the only way to it.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.current(), self.len()) })
    }

    /// The header at the packet's start, if the first buffer holds all of it.
    #[inline(always)]
    pub fn header<H: Header>(&self) -> Option<&H> {
        self.header_at(0)
    }

    /// The header `offset` bytes after the packet's start, if the first buffer holds all of it.
    #[inline(always)]
    pub fn header_at<H: Header>(&self, offset: usize) -> Option<&H> {
        self.data().get(offset..)?.first_chunk_of()
    }

    /// The header at the packet's start, to change it.
    ///
    /// # Errors
    /// [`Unwritable::Short`] if the first buffer does not hold all of it, [`Unwritable::Shared`] if it has several
    /// owners.
    #[inline]
    pub fn header_mut<H: Header>(&mut self) -> Result<&mut H, Unwritable> {
        self.header_at_mut(0)
    }

    /// The header `offset` bytes after the packet's start, to change it.
    ///
    /// # Errors
    /// As [`header_mut`](Self::header_mut).
    #[inline]
    pub fn header_at_mut<H: Header>(&mut self, offset: usize) -> Result<&mut H, Unwritable> {
        let bytes = self.data_mut()?.get_mut(offset..).ok_or(Unwritable::Short)?;
        if bytes.len() < size_of::<H>() {
            return Err(Unwritable::Short);
        }
        // SAFETY: there are enough bytes; a `Header` has alignment 1 and every bytes are a value of it.
        Ok(unsafe { &mut *bytes.as_mut_ptr().cast() })
    }

    /// All buffers of the packet, in order, as slices.
    #[inline]
    pub fn chain(&self) -> Chain<'_> {
        Chain { next: Some(self.buffer), vm: self.vm, packet: PhantomData }
    }

    /// Takes `n` bytes off the packet's start: `vlib_buffer_advance (b, n)`.
    ///
    /// # Errors
    /// [`Short`] if the first buffer has fewer; nothing is changed then. Of a chain, VPP wants at least 128 bytes to stay in
    /// the first buffer (`VLIB_BUFFER_MIN_CHAIN_SEG_SIZE`).
    #[inline]
    pub fn pull(&mut self, n: usize) -> Result<(), Short> {
        let rest = self.len().checked_sub(n).ok_or(Short)?;
        let meta = self.meta_mut();
        // Both fit: `n` is at most `current_length`, and the packet ends inside the buffer.
        meta.current_data = meta.current_data.checked_add_unsigned(n as u16).ok_or(Short)?;
        meta.current_length = rest as u16;
        Ok(())
    }

    /// Adds `n` bytes before the packet's start: `vlib_buffer_push_uninit`. They hold what was there before.
    ///
    /// # Errors
    /// [`NoRoom`] if there are fewer bytes before the packet; nothing is changed then.
    #[inline]
    pub fn push(&mut self, n: usize) -> Result<(), NoRoom> {
        let length = self.len().checked_add(n).ok_or(NoRoom)?;
        let meta = self.meta_mut();
        let room = (isize::from(meta.current_data) + VLIB_BUFFER_PRE_DATA_SIZE as isize) as usize;
        if n > room || length > usize::from(u16::MAX) {
            return Err(NoRoom);
        }
        meta.current_data -= n as i16;
        meta.current_length = length as u16;
        Ok(())
    }

    /// Whether the packet is traced: `VLIB_BUFFER_IS_TRACED`.
    #[inline(always)]
    pub fn is_traced(&self) -> bool {
        self.meta().flags & VLIB_BUFFER_IS_TRACED != 0
    }

    /// Whether the packet has more than one buffer: `VLIB_BUFFER_NEXT_PRESENT`.
    #[inline]
    pub fn is_chained(&self) -> bool {
        self.meta().flags & VLIB_BUFFER_NEXT_PRESENT != 0
    }

    /// The interface that the packet came in by: `vnet_buffer (b)->sw_if_index[VLIB_RX]`.
    #[inline]
    pub fn rx_sw_if_index(&self) -> SwIfIndex {
        SwIfIndex::new(self.vnet().sw_if_index[VLIB_RX])
    }

    /// The interface that the packet leaves by, or the FIB to look it up in: `vnet_buffer (b)->sw_if_index[VLIB_TX]`.
    /// `None` if it is not set.
    #[inline]
    pub fn tx_sw_if_index(&self) -> Option<SwIfIndex> {
        let index = self.vnet().sw_if_index[VLIB_TX];
        (index != u32::MAX).then_some(SwIfIndex::new(index))
    }

    /// A number for the flow that the packet belongs to, if a driver or a classifier before this node set one; else what the
    /// buffer held before: `vlib_buffer_t::flow_id`.
    #[inline]
    pub fn flow_id(&self) -> u32 {
        self.meta().flow_id
    }

    /// Bytes from the packet's start to its layer-2 header, if a node has set it; negative if it is before the start:
    /// `vnet_buffer (b)->l2_hdr_offset`.
    #[inline]
    pub fn l2_header_offset(&self) -> Option<isize> {
        self.offset_from_start(self.vnet().l2_hdr_offset, VNET_BUFFER_F_L2_HDR_OFFSET_VALID)
    }

    /// The same for the layer-3 header: `vnet_buffer (b)->l3_hdr_offset`.
    #[inline]
    pub fn l3_header_offset(&self) -> Option<isize> {
        self.offset_from_start(self.vnet().l3_hdr_offset, VNET_BUFFER_F_L3_HDR_OFFSET_VALID)
    }

    /// The same for the layer-4 header: `vnet_buffer (b)->l4_hdr_offset`.
    #[inline]
    pub fn l4_header_offset(&self) -> Option<isize> {
        self.offset_from_start(self.vnet().l4_hdr_offset, VNET_BUFFER_F_L4_HDR_OFFSET_VALID)
    }

    #[inline]
    fn offset_from_start(&self, offset: i16, valid: i32) -> Option<isize> {
        let meta = self.meta();
        (meta.flags & valid as u32 != 0).then(|| isize::from(offset) - isize::from(meta.current_data))
    }
}

impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packet")
            .field("rx", &self.rx_sw_if_index())
            .field("len", &self.len())
            .field("len_in_chain", &self.len_in_chain())
            .finish()
    }
}

/// A header view of the first bytes of a slice.
trait FirstChunk {
    fn first_chunk_of<H: Header>(&self) -> Option<&H>;
}

impl FirstChunk for [u8] {
    #[inline(always)]
    fn first_chunk_of<H: Header>(&self) -> Option<&H> {
        if self.len() < size_of::<H>() {
            return None;
        }
        // SAFETY: there are enough bytes; a `Header` has alignment 1 and every bytes are a value of it.
        Some(unsafe { &*self.as_ptr().cast() })
    }
}

/// The buffers of a packet; see [`Packet::chain`].
#[derive(Clone, Debug)]
pub struct Chain<'packet> {
    next: Option<NonNull<vlib_buffer_t>>,
    vm: NonNull<vlib_main_t>,
    packet: PhantomData<&'packet Packet<'packet>>,
}

impl<'packet> Iterator for Chain<'packet> {
    type Item = &'packet [u8];

    fn next(&mut self) -> Option<Self::Item> {
        let buffer = self.next?.as_ptr();
        // SAFETY: the buffer is the packet's first or one that a buffer of the packet names as its next, so it
        // belongs to the packet too.
        unsafe {
            self.next = if (*buffer).flags & VLIB_BUFFER_NEXT_PRESENT != 0 {
                Some(BufferMemory::of(self.vm).buffer((*buffer).next_buffer))
            } else {
                None
            };
            let current =
                (&raw const (*buffer).data).cast::<u8>().offset(isize::from((*buffer).current_data));
            Some(core::slice::from_raw_parts(current, usize::from((*buffer).current_length)))
        }
    }
}

#[cfg(test)]
mod tests;
