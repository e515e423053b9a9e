#!/usr/bin/env python3
"""Small network peers that record.sh runs inside its namespaces.

  peers.py dns-server ADDR                answer A, AAAA and TXT queries on UDP port 53
  peers.py dns-client ADDR COUNT          send COUNT queries and check the answers
  peers.py udp-echo PORT                  send each IPv4 datagram back
  peers.py udp-client ADDR PORT SIZE...   send one datagram per size and wait for each echo
  peers.py udp-closed ADDR PORT COUNT     send to a closed port, expect "port unreachable"
  peers.py tag PORT TAP VID               carry frames between TAP and PORT, tagged with VID
"""

import fcntl
import os
import select
import socket
import struct
import sys

# Linux constants that the socket module does not name.
IP_MTU_DISCOVER, IP_PMTUDISC_DONT = 10, 0
SOL_PACKET, PACKET_AUXDATA, PACKET_OUTGOING = 263, 8, 4
ETH_P_ALL, ETH_P_8021Q = 0x0003, 0x8100
TP_STATUS_VLAN_VALID = 0x10
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000

A, TXT, AAAA = 1, 16, 28
ZONE = {
    ("example.com", A): socket.inet_aton("192.0.2.80"),
    ("www.example.com", A): socket.inet_aton("192.0.2.81"),
    ("example.com", AAAA): socket.inet_pton(socket.AF_INET6, "2001:db8::80"),
    ("www.example.com", AAAA): socket.inet_pton(socket.AF_INET6, "2001:db8::81"),
    ("example.com", TXT): b"\x20a capture made for documentation",
}
# The last one is not in the zone, so its answer is NXDOMAIN.
QUESTIONS = list(ZONE) + [("missing.example.com", A)]


def udp_socket():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # Without this the kernel sets DF, also on the fragments it makes itself.
    sock.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DONT)
    return sock


def encode_name(name):
    return b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"


def decode_question(packet):
    """Return the name, the type and the raw bytes of the single question."""
    at, parts = 12, []
    while packet[at]:
        parts.append(packet[at + 1 : at + 1 + packet[at]].decode())
        at += 1 + packet[at]
    (qtype,) = struct.unpack_from("!H", packet, at + 1)
    return ".".join(parts), qtype, packet[12 : at + 5]


def dns_server(addr):
    sock = udp_socket()
    sock.bind((addr, 53))
    while True:
        packet, client = sock.recvfrom(512)
        name, qtype, question = decode_question(packet)
        data = ZONE.get((name, qtype))
        # Flags: response, authoritative, recursion desired. Code 3 is NXDOMAIN.
        flags = 0x8500 if data else 0x8503
        head = packet[:2] + struct.pack("!HHHHH", flags, 1, bool(data), 0, 0)
        # 0xc00c points back to the name in the question.
        answer = struct.pack("!HHHIH", 0xC00C, qtype, 1, 300, len(data)) + data if data else b""
        sock.sendto(head + question + answer, client)


def dns_client(addr, count):
    for number in range(int(count)):
        name, qtype = QUESTIONS[number % len(QUESTIONS)]
        # A new socket for each query gives each query its own source port.
        sock = udp_socket()
        sock.settimeout(5)
        sock.connect((addr, 53))
        ident = 0x1000 + number
        sock.send(struct.pack("!HHHHHH", ident, 0x0100, 1, 0, 0, 0) + encode_name(name) + struct.pack("!HH", qtype, 1))
        reply = sock.recv(512)
        assert struct.unpack_from("!H", reply)[0] == ident, "DNS answer to another query"
        assert (reply[3] & 15 == 0) == ((name, qtype) in ZONE), "wrong DNS response code"


def udp_echo(port):
    sock = udp_socket()
    sock.bind(("0.0.0.0", int(port)))
    while True:
        sock.sendto(*sock.recvfrom(65535))


def udp_client(addr, port, *sizes):
    sock = udp_socket()
    sock.settimeout(5)
    sock.connect((addr, int(port)))
    for size in map(int, sizes):
        payload = bytes(i & 0xFF for i in range(size))
        sock.send(payload)
        assert sock.recv(65535) == payload, "the echo differs"


def udp_closed(addr, port, count):
    for _ in range(int(count)):
        sock = udp_socket()
        sock.settimeout(5)
        sock.connect((addr, int(port)))
        sock.send(b"is this port open?")
        try:
            sock.recv(512)
        except ConnectionRefusedError:
            continue
        sys.exit("the closed port gave an answer")


def tag(port, tap, vid):
    """A VLAN sub-interface in user space, for kernels built without 802.1Q."""
    vid = int(vid)
    tap_fd = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tap_fd, TUNSETIFF, struct.pack("16sH", tap.encode(), IFF_TAP | IFF_NO_PI))
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    wire.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    wire.bind((port, ETH_P_ALL))
    while True:
        ready, _, _ = select.select([tap_fd, wire], [], [])
        if tap_fd in ready:
            frame = os.read(tap_fd, 65535)
            wire.send(frame[:12] + struct.pack("!HH", ETH_P_8021Q, vid) + frame[12:])
        if wire in ready:
            frame, ancillary, _, address = wire.recvmsg(65535, 256)
            if address[2] == PACKET_OUTGOING:
                continue
            # The kernel takes the tag out of received frames and reports it beside them.
            for level, kind, data in ancillary:
                if (level, kind) == (SOL_PACKET, PACKET_AUXDATA):
                    status, _, _, _, _, tci, tpid = struct.unpack("=IIIHHHH", data[:20])
                    if status & TP_STATUS_VLAN_VALID and tpid == ETH_P_8021Q and tci & 0xFFF == vid:
                        os.write(tap_fd, frame)


if __name__ == "__main__":
    commands = {
        "dns-server": dns_server,
        "dns-client": dns_client,
        "udp-echo": udp_echo,
        "udp-client": udp_client,
        "udp-closed": udp_closed,
        "tag": tag,
    }
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
