//! One node, on packets that the test makes.

use vppkit_host::{Host, Packets, UdpStream, built_plugin};

/// An Ethernet frame with an IPv4 packet: a header, and as much of what follows as the test wants.
fn frame(protocol: u8, ttl: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0; 14];
    frame[12] = 0x08;
    let length = (20 + payload.len()) as u8;
    frame.extend([0x45, 0, 0, length, 0, 0, 0, 0, ttl, protocol, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]);
    frame.extend(payload);
    frame
}

#[test]
fn the_node_of_low_packets_lets_bgp_pass() -> Result<(), Box<dyn std::error::Error>> {
    let mut bgp = [0; 20];
    bgp[2..4].copy_from_slice(&179_u16.to_be_bytes());
    let packets = [
        frame(6, 1, &bgp),
        // TCP that is not BGP, UDP, and TCP whose header is cut.
        frame(6, 1, &[0; 20]),
        frame(17, 1, &[0; 8]),
        frame(6, 1, &[0; 4]),
    ];

    let report = Host::new()
        .plugin(built_plugin("min-ttl")?)
        .inject_at("min-ttl-low", Packets::from_bytes(packets).past_ethernet())
        .run()?;

    assert_eq!(report.sink("ip4-lookup").len(), 1);
    assert_eq!(report.error("min-ttl-low", "low_ttl"), 2);
    assert_eq!(report.error("min-ttl-low", "short"), 1);
    Ok(())
}

#[test]
fn many_frames_of_udp_pass() -> Result<(), Box<dyn std::error::Error>> {
    let report = Host::new()
        .plugin(built_plugin("min-ttl")?)
        .inject(Packets::udp(UdpStream { count: 1000, ..UdpStream::default() }))
        .run()?;

    assert_eq!(report.sink("ip4-lookup").len(), 1000);
    Ok(())
}
