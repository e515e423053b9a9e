//! Captures of both formats and byte orders, and what is said about damaged ones.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use vppkit_host::{CaptureError, Host, HostError, Packets, PcapWriter, UdpStream};

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join("capture");
        std::fs::File::create(&path).unwrap().write_all(bytes).unwrap();
        path
    }
}

fn packets(n: usize) -> Vec<Vec<u8>> {
    let stream = UdpStream { count: n, length: 61, sources: 200, ..UdpStream::default() };
    Packets::udp(stream).map(|p| p.unwrap().bytes().to_vec()).collect()
}

/// A pcap file in either byte order.
fn pcap(magic: u32, link: u32, big: bool, packets: &[Vec<u8>]) -> Vec<u8> {
    let w32 = |v: u32| if big { v.to_be_bytes() } else { v.to_le_bytes() };
    let w16 = |v: u16| if big { v.to_be_bytes() } else { v.to_le_bytes() };
    let mut f = Vec::new();
    f.extend(w32(magic));
    f.extend(w16(2));
    f.extend(w16(4));
    f.extend([0; 8]);
    f.extend(w32(65535));
    f.extend(w32(link));
    for (i, p) in packets.iter().enumerate() {
        f.extend(w32(1_700_000_000 + i as u32));
        f.extend(w32(500));
        f.extend(w32(p.len() as u32));
        f.extend(w32(p.len() as u32 + 3));
        f.extend(p);
    }
    f
}

fn block(r#type: u32, big: bool, body: &[u8]) -> Vec<u8> {
    let w32 = |v: u32| if big { v.to_be_bytes() } else { v.to_le_bytes() };
    let mut body = body.to_vec();
    body.resize(body.len().next_multiple_of(4), 0);
    let length = w32(body.len() as u32 + 12);
    [&w32(r#type)[..], &length, &body, &length].concat()
}

/// A pcapng file with one interface and enhanced packet blocks.
fn pcapng(big: bool, link: u16, packets: &[Vec<u8>]) -> Vec<u8> {
    let w32 = |v: u32| if big { v.to_be_bytes() } else { v.to_le_bytes() };
    let w16 = |v: u16| if big { v.to_be_bytes() } else { v.to_le_bytes() };
    let mut f = block(0x0a0d_0d0a, big, &[&w32(0x1a2b_3c4d)[..], &w16(1), &w16(0), &[0xff; 8]].concat());
    // An interface whose clock counts nanoseconds.
    f.extend(block(
        1,
        big,
        &[&w16(link)[..], &[0; 2], &w32(65535), &w16(9), &w16(1), &[9, 0, 0, 0], &[0; 4]].concat(),
    ));
    for p in packets {
        let ticks = 1_700_000_000_000_000_123_u64;
        let head = [
            &w32(0)[..],
            &w32((ticks >> 32) as u32),
            &w32(ticks as u32),
            &w32(p.len() as u32),
            &w32(p.len() as u32),
        ];
        f.extend(block(6, big, &[&head.concat()[..], p].concat()));
    }
    f
}

fn read(path: &PathBuf) -> (Vec<Vec<u8>>, Option<CaptureError>) {
    let mut all = Vec::new();
    let packets = match Packets::from_pcap(path) {
        Ok(packets) => packets,
        Err(error) => return (all, Some(error)),
    };
    for packet in packets {
        match packet {
            Ok(p) => all.push(p.bytes().to_vec()),
            Err(error) => return (all, Some(error)),
        }
    }
    (all, None)
}

#[test]
fn every_format_gives_the_same_packets() {
    let folder = Folder::new();
    let packets = packets(3000);
    let files = [
        pcap(0xa1b2_c3d4, 1, false, &packets),
        pcap(0xa1b2_c3d4, 1, true, &packets),
        pcap(0xa1b2_3c4d, 1, false, &packets),
        pcap(0xa1b2_3c4d, 1, true, &packets),
        pcapng(false, 1, &packets),
        pcapng(true, 1, &packets),
    ];
    for (i, file) in files.iter().enumerate() {
        let (got, error) = read(&folder.file(file));
        assert!(error.is_none(), "{i}: {error:?}");
        assert!(got == packets, "{i}: {} packets", got.len());
    }
}

#[test]
fn times_and_lengths_are_read() {
    let folder = Folder::new();
    let first = |bytes: Vec<u8>| Packets::from_pcap(folder.file(&bytes)).unwrap().next().unwrap().unwrap();
    let micro = first(pcap(0xa1b2_c3d4, 1, true, &packets(1)));
    assert_eq!(micro.time(), Duration::new(1_700_000_000, 500_000));
    assert_eq!(micro.original_length(), 64);
    let nano = first(pcap(0xa1b2_3c4d, 1, false, &packets(1)));
    assert_eq!(nano.time(), Duration::new(1_700_000_000, 500));
    let ng = first(pcapng(true, 1, &packets(1)));
    assert_eq!(ng.time(), Duration::new(1_700_000_000, 123));
}

#[test]
fn packets_before_the_damage_go_through_the_graph() {
    let folder = Folder::new();
    for whole in [pcap(0xa1b2_c3d4, 1, false, &packets(1000)), pcapng(false, 1, &packets(1000))] {
        let path = folder.file(&whole[..whole.len() - 10]);
        let error = Host::new().inject(Packets::from_pcap(&path).unwrap()).run().unwrap_err();
        let message = error.to_string();
        assert!(message.contains("truncated: packet 1000 starts at byte"), "{message}");
        assert!(message.contains(&path.display().to_string()), "{message}");
        assert_eq!(error.report().unwrap().sink("ip4-lookup").len(), 999);
        assert!(matches!(
            error,
            HostError::Capture { error: CaptureError::Truncated { packet: 1000, .. }, .. }
        ));
    }
}

#[test]
fn a_file_cut_anywhere_gives_packets_and_then_an_error() {
    let folder = Folder::new();
    for whole in [pcap(0xa1b2_c3d4, 1, true, &packets(3)), pcapng(false, 1, &packets(3))] {
        let ends: Vec<usize> = {
            let header = whole.len() - 3 * if whole[0] == 0x0a { 96 } else { 77 };
            (0..=3).map(|i| header + i * if whole[0] == 0x0a { 96 } else { 77 }).collect()
        };
        for cut in 0..=whole.len() {
            let (got, error) = read(&folder.file(&whole[..cut]));
            let complete = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
            assert_eq!(got.len(), complete, "cut at {cut}");
            // A pcapng file may also end behind its first block.
            let is_whole = ends.contains(&cut) || (whole[0] == 0x0a && cut == 28);
            assert_eq!(error.is_none(), is_whole, "cut at {cut}: {error:?}");
        }
    }
}

#[test]
fn what_is_no_capture() {
    let folder = Folder::new();
    let message = |bytes: &[u8]| read(&folder.file(bytes)).1.unwrap().to_string();
    assert!(message(b"").ends_with("not a capture: the file is empty"));
    assert!(
        message(b"hello world, this is text").contains("it starts with 68 65 6c 6c, neither pcap nor pcapng")
    );
    assert!(message(&[0xd4, 0xc3, 0xb2, 0xa1, 2, 0]).contains("the file ends within its header"));
    let missing = folder.0.path().join("missing");
    assert!(read(&missing).1.unwrap().to_string().contains("No such file"));
    assert!(read(&folder.0.path().into()).1.unwrap().to_string().contains("is a directory"));
}

#[test]
fn link_types_are_named() {
    let folder = Folder::new();
    let message =
        |link: u32| read(&folder.file(&pcap(0xa1b2_c3d4, link, false, &packets(1)))).1.unwrap().to_string();
    assert!(message(113).contains("link type LINUX_SLL (113), only Ethernet"), "{}", message(113));
    assert!(message(9999).contains("link type 9999 (9999)") || message(9999).contains("link type 9999,"));
    let (got, error) = read(&folder.file(&pcapng(false, 101, &packets(1))));
    assert!(got.is_empty());
    assert!(error.unwrap().to_string().contains("RAW (101)"));
}

#[test]
fn absurd_lengths_are_damage() {
    let folder = Folder::new();
    let mut bytes = pcap(0xa1b2_c3d4, 1, false, &packets(2));
    let second = 24 + 16 + 61;
    bytes[second + 8..second + 12].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    let (got, error) = read(&folder.file(&bytes));
    assert_eq!(got.len(), 1);
    let message = error.unwrap().to_string();
    assert!(message.contains("packet 2") && message.contains("byte 101"), "{message}");
    assert!(
        message.contains("claims to have 2147483647 bytes") || message.contains("truncated"),
        "{message}"
    );
    // Zero is a length.
    let (got, error) = read(&folder.file(&pcap(0xa1b2_c3d4, 1, false, &[vec![], vec![1]])));
    assert!(error.is_none());
    assert_eq!(got, [vec![], vec![1]]);
}

#[test]
fn long_packets_are_read() {
    let folder = Folder::new();
    let packets = vec![vec![7; 300_000], vec![8; 60]];
    for file in [pcap(0xa1b2_c3d4, 1, false, &packets), pcapng(true, 1, &packets)] {
        let (got, error) = read(&folder.file(&file));
        assert!(error.is_none(), "{error:?}");
        assert!(got == packets);
    }
}

#[test]
fn what_is_written_can_be_read() {
    let folder = Folder::new();
    let path = folder.0.path().join("out.pcap");
    let mut writer = PcapWriter::create(&path).unwrap();
    let input = folder.file(&pcap(0xa1b2_3c4d, 1, false, &packets(50)));
    let out = std::rc::Rc::new(std::cell::RefCell::new(None));
    let kept = out.clone();
    Host::new()
        .inject(Packets::from_pcap(input).unwrap())
        .on_packet(move |p| {
            writer.write(p)?;
            writer.flush()?;
            *kept.borrow_mut() = Some(writer.count());
            Ok(())
        })
        .run()
        .unwrap();
    assert_eq!(*out.borrow(), Some(50));
    let all: Vec<_> = Packets::from_pcap(&path).unwrap().map(Result::unwrap).collect();
    assert!(all.iter().map(|p| p.bytes()).eq(packets(50).iter().map(Vec::as_slice)));
    // The input's times are 500 nanoseconds past the second. The writer keeps whole microseconds.
    assert_eq!(all[3].time(), Duration::new(1_700_000_003, 0));
}

#[test]
fn any_bytes_are_read_without_panic() {
    let folder = Folder::new();
    let whole = pcapng(false, 1, &packets(4));
    let mut state = 1_u64;
    for _ in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = (state >> 13) as u8;
        }
        let _ = read(&folder.file(&bytes));
    }
}

/// Captures in the folder that VPPKIT_CAPTURES names, if it is set.
#[test]
fn captures_of_others_add_up() {
    let Some(folder) = std::env::var_os("VPPKIT_CAPTURES") else { return };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(packets) = Packets::from_pcap(&path) else { continue };
        let result = Host::new().trace(100).inject(packets).run();
        let report = match &result {
            Ok(report) => report,
            Err(HostError::Capture { report: Some(report), .. }) => report,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        assert!(report.summary().adds_up(), "{}: {:?}", path.display(), report.summary());
        assert_eq!(report.summary().created, 0);
    }
}

#[test]
fn the_error_of_a_capture_reads_the_same_when_a_test_returns_it() {
    let folder = Folder::new();
    let error = Packets::from_pcap(folder.file(b"no capture at all")).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains(": not a capture: "), "{error}");
    assert_eq!(format!("{error:?}"), error.to_string());
}
