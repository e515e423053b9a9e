//! Packets against a naive model: bytes in a vector.

use proptest::prelude::*;

use super::*;
use crate::fake::{DATA_SIZE, Fake};
use crate::header::{IpProtocol, Ipv4Header};

#[derive(Clone, Copy, Debug)]
enum Change {
    Pull(usize),
    Push(usize),
    Write(usize, u8),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        prop_oneof![0..300_usize, Just(usize::MAX)].prop_map(Change::Pull),
        prop_oneof![0..300_usize, Just(usize::MAX)].prop_map(Change::Push),
        (0..300_usize, any::<u8>()).prop_map(|(at, byte)| Change::Write(at, byte)),
    ]
}

proptest! {
    #[test]
    fn pull_and_push_move_the_start_inside_the_buffer(
        data in prop::collection::vec(any::<u8>(), 0..=DATA_SIZE),
        changes in prop::collection::vec(change(), 0..40),
    ) {
        let mut fake = Fake::new();
        fake.add(&data);
        // The model: headroom and data as one vector, and where the packet starts in it.
        let mut model = vec![0; VLIB_BUFFER_PRE_DATA_SIZE];
        model.extend(&data);
        let mut start = VLIB_BUFFER_PRE_DATA_SIZE;
        let mut packet = fake.packet();
        for change in changes {
            match change {
                Change::Pull(n) => {
                    let fits = n <= model.len() - start;
                    prop_assert_eq!(packet.pull(n), if fits { Ok(()) } else { Err(Short) });
                    start += if fits { n } else { 0 };
                }
                Change::Push(n) => {
                    let fits = n <= start;
                    prop_assert_eq!(packet.push(n), if fits { Ok(()) } else { Err(NoRoom) });
                    start -= if fits { n } else { 0 };
                }
                Change::Write(at, byte) => {
                    let bytes = packet.data_mut().unwrap();
                    if let Some(slot) = bytes.get_mut(at) {
                        *slot = byte;
                        model[start + at] = byte;
                    }
                }
            }
            prop_assert_eq!(packet.data(), &model[start..]);
            prop_assert_eq!(packet.len(), model.len() - start);
        }
    }

    #[test]
    fn a_header_is_there_if_all_its_bytes_are(len in 0..64_usize, offset in 0..70_usize) {
        let mut fake = Fake::new();
        fake.add(&vec![1; len]);
        let mut packet = fake.packet();
        let fits = offset + size_of::<Ipv4Header>() <= len;
        prop_assert_eq!(packet.header_at::<Ipv4Header>(offset).is_some(), fits);
        prop_assert_eq!(packet.header_at_mut::<Ipv4Header>(offset).is_ok(), fits);
    }

    #[test]
    fn a_chain_is_walked_in_order_and_its_length_is_the_sum(
        segments in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..=DATA_SIZE), 1..8),
        valid in any::<bool>(),
    ) {
        let mut fake = Fake::new();
        for (at, segment) in segments.iter().enumerate() {
            fake.add(segment);
            if at > 0 {
                fake.chain_last();
            }
        }
        if valid && segments.len() > 1 {
            let rest: usize = segments[1..].iter().map(Vec::len).sum();
            let first = fake.buffer_mut(0);
            first.flags |= VLIB_BUFFER_TOTAL_LENGTH_VALID;
            first.total_length_not_including_first_buffer = rest as u32;
        }
        let packet = fake.packet();
        prop_assert_eq!(packet.chain().collect::<Vec<_>>(), segments.iter().map(Vec::as_slice).collect::<Vec<_>>());
        prop_assert_eq!(packet.len_in_chain(), segments.concat().len());
        prop_assert_eq!(packet.is_chained(), segments.len() > 1);
    }
}

#[test]
fn a_shared_buffer_can_be_read_and_not_written() {
    let mut fake = Fake::new();
    *fake.add(&[0x45; 20]).ref_count.get_mut() = 2;
    let mut packet = fake.packet();
    assert!(packet.header::<Ipv4Header>().is_some());
    assert_eq!(packet.header_mut::<Ipv4Header>().err(), Some(Unwritable::Shared));
    assert_eq!(packet.data_mut().err(), Some(Unwritable::Shared));
}

#[test]
fn what_is_written_through_a_header_is_in_the_packet() {
    let mut fake = Fake::new();
    fake.add(&[0; 20]);
    let mut packet = fake.packet();
    packet.header_mut::<Ipv4Header>().unwrap().protocol = IpProtocol::UDP;
    assert_eq!(packet.data()[9], 17);
}

#[test]
fn metadata_is_where_vnet_keeps_it() {
    let mut fake = Fake::new();
    let buffer = fake.add(&[0; 20]);
    buffer.opaque[0] = 3;
    buffer.opaque[1] = u32::MAX;
    // l2_hdr_offset 0, l3_hdr_offset 14; only the second is valid.
    buffer.opaque[2] = 14 << 16;
    buffer.flags = VNET_BUFFER_F_L3_HDR_OFFSET_VALID as u32;
    buffer.current_data = 14;
    let packet = fake.packet();
    assert_eq!(packet.rx_sw_if_index(), SwIfIndex::new(3));
    assert_eq!(packet.tx_sw_if_index(), None);
    assert_eq!((packet.l2_header_offset(), packet.l3_header_offset()), (None, Some(0)));
}
