//! `vnet/buffer.h`: what vnet keeps in a buffer's `opaque`.
#![allow(missing_docs, reason = "fields keep the names of VPP, whose headers document them")]

use crate::constants::constants;
use crate::mirror::mirror;

mirror! {
    /// The part of `vlib_buffer_t::opaque` that every release lays out alike.
    struct vnet_buffer_opaque_t: 8, prefix 40 {
        /// By direction: `VLIB_RX`, `VLIB_TX`.
        sw_if_index: [u32; 2] = 0,
        l2_hdr_offset: i16 = 8,
        l3_hdr_offset: i16 = 10,
        l4_hdr_offset: i16 = 12,
    }
}

constants! {
    VNET_BUFFER_F_L4_CHECKSUM_COMPUTED: i32 = 1 << 31;
    VNET_BUFFER_F_L4_CHECKSUM_CORRECT: i32 = 1 << 30;
    VNET_BUFFER_F_VLAN_2_DEEP: i32 = 1 << 29;
    VNET_BUFFER_F_VLAN_1_DEEP: i32 = 1 << 28;
    VNET_BUFFER_F_SPAN_CLONE: i32 = 1 << 27;
    VNET_BUFFER_F_LOOP_COUNTER_VALID: i32 = 1 << 26;
    VNET_BUFFER_F_LOCALLY_ORIGINATED: i32 = 1 << 25;
    VNET_BUFFER_F_IS_IP4: i32 = 1 << 24;
    VNET_BUFFER_F_IS_IP6: i32 = 1 << 23;
    VNET_BUFFER_F_OFFLOAD: i32 = 1 << 22;
    VNET_BUFFER_F_IS_NATED: i32 = 1 << 21;
    VNET_BUFFER_F_L2_HDR_OFFSET_VALID: i32 = 1 << 20;
    VNET_BUFFER_F_L3_HDR_OFFSET_VALID: i32 = 1 << 19;
    VNET_BUFFER_F_L4_HDR_OFFSET_VALID: i32 = 1 << 18;
    VNET_BUFFER_F_FLOW_REPORT: i32 = 1 << 17;
    VNET_BUFFER_F_IS_DVR: i32 = 1 << 16;
    VNET_BUFFER_F_QOS_DATA_VALID: i32 = 1 << 15;
    VNET_BUFFER_F_GSO: i32 = 1 << 14;
    VLIB_RX: usize = 0;
    VLIB_TX: usize = 1;
}
