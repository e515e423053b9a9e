#!/usr/bin/env bash
# Records ttl.pcap again, from real traffic between two network namespaces of this machine.
# Nothing leaves the machine. Needs root, iproute2, ethtool, ping, python3 and tcpdump.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
client=min-ttl-client-$$
server=min-ttl-server-$$
work=$(mktemp -d)
pids=()

cleanup() {
    kill "${pids[@]}" 2>/dev/null || true
    ip netns del "$client" 2>/dev/null || true
    ip netns del "$server" 2>/dev/null || true
    rm -rf -- "$work"
}
trap cleanup EXIT

on_client() { ip netns exec "$client" "$@"; }

setup() {
    local ns=$1 number=$2
    ip -n "$ns" link set eth0 address "02:00:00:00:00:0$number" addrgenmode none
    # A capture must hold what a wire would, with whole checksums.
    ip netns exec "$ns" ethtool -K eth0 rx off tx off sg off tso off gso off gro off >/dev/null
    # Else the kernel limits the rate of "port unreachable" messages.
    ip netns exec "$ns" sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_ratelimit'
    ip -n "$ns" link set lo up
    ip -n "$ns" link set eth0 up
    ip -n "$ns" addr add "192.0.2.$number/24" dev eth0
}

ip netns add "$client"
ip netns add "$server"
ip -n "$client" link add eth0 type veth peer name eth0 netns "$server"
setup "$client" 1
setup "$server" 2

# No helper function for these two: $! must be the id of the program, not of a subshell.
ip netns exec "$server" python3 "$here/peers.py" bgp-server 192.0.2.2 </dev/null >/dev/null 2>&1 &
pids+=($!)
ip netns exec "$server" tcpdump -n -p -U -Z root --immediate-mode -i eth0 -w "$work/ttl.pcap" 2>"$work/log" &
tcpdump=$!
pids+=("$tcpdump")
sleep 1

on_client ping -n -q -i 0.05 -c 5 192.0.2.2 >/dev/null
on_client ping -n -q -i 0.05 -c 3 -t 1 192.0.2.2 >/dev/null
on_client python3 "$here/peers.py" probe 192.0.2.2
on_client python3 "$here/peers.py" bgp-client 192.0.2.2
sleep 0.5

kill -TERM "$tcpdump"
wait "$tcpdump"
grep -q '^0 packets dropped by kernel' "$work/log"
chmod 644 -- "$work/ttl.pcap"
mv -- "$work/ttl.pcap" "$here/ttl.pcap"
