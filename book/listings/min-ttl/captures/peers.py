#!/usr/bin/env python3
"""The peers that record.sh runs: `bgp-server ADDR`, `bgp-client ADDR`, `probe ADDR`."""

import socket
import struct
import sys

BGP_PORT = 179


def bgp(kind, body=b""):
    return b"\xff" * 16 + struct.pack("!HB", 19 + len(body), kind) + body


def bgp_open(autonomous_system, identifier):
    return bgp(1, struct.pack("!BHH4sB", 4, autonomous_system, 180, socket.inet_aton(identifier), 0))


def near_socket():
    """A TCP socket whose packets have a TTL of 1, as BGP speakers on one link send them."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 1)
    return sock


def bgp_server(addr):
    listener = near_socket()
    listener.bind((addr, BGP_PORT))
    listener.listen()
    while True:
        peer, _ = listener.accept()
        peer.recv(4096)
        peer.sendall(bgp_open(64513, "192.0.2.2"))
        peer.recv(4096)
        peer.sendall(bgp(4))
        peer.recv(4096)
        peer.close()


def bgp_client(addr):
    sock = near_socket()
    sock.settimeout(5)
    sock.connect((addr, BGP_PORT))
    sock.sendall(bgp_open(64512, "192.0.2.1"))
    sock.recv(4096)
    sock.sendall(bgp(4))
    sock.recv(4096)
    sock.close()


def probe(addr):
    """What traceroute sends: datagrams to closed ports, with a TTL that grows."""
    for ttl in range(1, 9):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.settimeout(5)
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, ttl)
        sock.connect((addr, 33433 + ttl))
        sock.send(b"how far is it to you, in hops?..")
        try:
            sock.recv(512)
        except ConnectionRefusedError:
            continue
        sys.exit("the closed port gave an answer")


if __name__ == "__main__":
    {"bgp-server": bgp_server, "bgp-client": bgp_client, "probe": probe}[sys.argv[1]](sys.argv[2])
