#!/usr/bin/env bash
# Records the captures of this folder again, from real traffic between two
# network namespaces of this machine. Nothing leaves the machine.
#
# Usage: record.sh [OUTPUT_DIR]      (default: the folder of this script)
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

die() {
    echo "record.sh: $*" >&2
    exit 1
}

[[ $# -le 1 ]] || die "usage: record.sh [OUTPUT_DIR]"
[[ $(id -u) -eq 0 ]] || die "must run as root, because it makes network namespaces"
missing=()
for tool in ip ss ethtool ping curl python3 tcpdump tshark editcap cmp; do
    command -v "$tool" >/dev/null || missing+=("$tool")
done
[[ ${#missing[@]} -eq 0 ]] || die "missing tools: ${missing[*]}
on Debian or Ubuntu: apt-get install iproute2 ethtool iputils-ping curl python3 tcpdump tshark diffutils"
[[ -c /dev/net/tun ]] || die "missing /dev/net/tun, needed for the VLAN traffic"

out=${1:-$here}
mkdir -p -- "$out"
out=$(cd -- "$out" && pwd)

# The process id in the names lets two runs live side by side.
client=drop-icmp-client-$$
server=drop-icmp-server-$$
work=$(mktemp -d)
pids=()

cleanup() {
    local status=$?
    trap - EXIT INT TERM
    if [[ ${#pids[@]} -gt 0 ]]; then
        kill "${pids[@]}" 2>/dev/null || true
        wait "${pids[@]}" 2>/dev/null || true
    fi
    ip netns del "$client" 2>/dev/null || true
    ip netns del "$server" 2>/dev/null || true
    rm -rf -- "$work"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

on_client() { ip netns exec "$client" "$@"; }
on_server() { ip netns exec "$server" "$@"; }
peers() { on_client python3 "$here/peers.py" "$@"; }

# Tries a command for up to ten seconds.
wait_for() {
    local what=$1 i
    shift
    for ((i = 0; i < 100; i++)); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    die "timed out: $what"
}

# Runs a server in a namespace until the end of the script.
start() {
    local log=$work/server-${#pids[@]}.log
    ip netns exec "$1" "${@:2}" </dev/null >"$log" 2>&1 &
    pids+=($!)
}

# ---- the two namespaces ----------------------------------------------------

# Fixed and locally administered, so that each recording has the same addresses.
client_mac=02:00:00:00:00:01
server_mac=02:00:00:00:00:02
vid=10

setup_side() {
    local ns=$1 number=$2 mac=$3 tap=vlan$vid
    # No link-local address: else IPv6 router solicitations and the like get
    # into every capture.
    ip -n "$ns" link set lo up
    ip -n "$ns" link set eth0 address "$mac" addrgenmode none
    # The kernel would hand out half-made checksums, frames larger than the MTU
    # and VLAN tags beside the frame. A capture must hold what a wire would.
    ip netns exec "$ns" ethtool -K eth0 rx off tx off sg off tso off gso off gro off rxvlan off txvlan off \
        >/dev/null
    # Else the kernel limits the rate of "port unreachable" messages.
    ip netns exec "$ns" sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_ratelimit'
    ip -n "$ns" link set eth0 up
    ip -n "$ns" addr add "192.0.2.$number/24" dev eth0
    # Duplicate address detection would add frames of its own.
    ip -n "$ns" addr add "2001:db8::$number/64" dev eth0 nodad

    # The tagged network. A TAP device and a small relay do the work of a VLAN
    # sub-interface, because not all kernels have 802.1Q built in. The relay
    # writes the tag into the frame itself, so no offload can hide it.
    ip -n "$ns" tuntap add "$tap" mode tap
    ip -n "$ns" link set "$tap" address "$mac" mtu 1500 addrgenmode none
    ip netns exec "$ns" sh -c "echo 1 >/proc/sys/net/ipv6/conf/$tap/disable_ipv6"
    ip -n "$ns" link set "$tap" up
    ip -n "$ns" addr add "198.51.100.$number/24" dev "$tap"
    start "$ns" python3 "$here/peers.py" tag eth0 "$tap" "$vid"
}

tap_is_up() { ip -n "$1" link show "vlan$vid" | grep -q LOWER_UP; }

set_mtu() {
    ip -n "$client" link set eth0 mtu "$1"
    ip -n "$server" link set eth0 mtu "$1"
}

ip netns add "$client"
ip netns add "$server"
ip -n "$client" link add eth0 type veth peer name eth0 netns "$server"
setup_side "$client" 1 "$client_mac"
setup_side "$server" 2 "$server_mac"
wait_for "VLAN relay of the client" tap_is_up "$client"
wait_for "VLAN relay of the server" tap_is_up "$server"

# ---- the servers -----------------------------------------------------------

page() {
    python3 -c 'import sys
for i in range(int(sys.argv[1]) // 64): print(f"{i:06d} " + "drop-icmp example page ".ljust(56, "."))' "$1"
}
mkdir "$work/www"
page 4096 >"$work/www/page.txt"
page 12800 >"$work/www/large.txt"

start "$server" python3 -m http.server 80 --bind 192.0.2.2 --directory "$work/www"
start "$server" python3 -m http.server 80 --bind 2001:db8::2 --directory "$work/www"
start "$server" python3 "$here/peers.py" dns-server 192.0.2.2
start "$server" python3 "$here/peers.py" udp-echo 7

listens() { on_server ss -Hln "$@" | grep -q .; }
wait_for "HTTP server on IPv4" listens -t src 192.0.2.2 and sport = :80
wait_for "HTTP server on IPv6" listens -t src '[2001:db8::2]' and sport = :80
wait_for "DNS server" listens -u sport = :53
wait_for "UDP echo server" listens -u sport = :7

# ---- the traffic -----------------------------------------------------------

# ping_sizes ADDRESS COUNT SIZE...: COUNT echoes of each payload size.
# "-M dont" clears DF, so that large ones can be fragmented.
ping_sizes() {
    local address=$1 count=$2 size
    for size in "${@:3}"; do
        on_client ping -n -q -M dont -i 0.02 -W 5 -c "$count" -s "$size" "$address" >/dev/null
    done
}

get() {
    # A proxy from the environment must not get in between.
    on_client curl -sS --noproxy '*' --max-time 20 -o "$work/got-$BASHPID" "http://$1/$2"
    cmp -- "$work/got-$BASHPID" "$work/www/$2"
}

# The sizes go from an empty payload to one that fills an MTU of 1500.
traffic_ping() { ping_sizes 192.0.2.2 2 0 1 56 64 256 512 1472; }
traffic_http() { get 192.0.2.2 page.txt; }
traffic_dns() { peers dns-client 192.0.2.2 "${1:-12}"; }
traffic_ipv6() {
    ping_sizes 2001:db8::2 2 8 56 512
    get '[2001:db8::2]' page.txt
}
traffic_vlan() {
    ping_sizes 198.51.100.2 3 56 512
    peers udp-client 198.51.100.2 7 18 100 500 1000
}
traffic_fragments() {
    ping_sizes 192.0.2.2 2 1473
    ping_sizes 192.0.2.2 1 4000
    peers udp-client 192.0.2.2 7 3000 4500
}
# Payload 2006 gives a frame of 2048 bytes, the usual size of a VPP buffer.
# Payload 2007 is the first one that needs a second buffer.
traffic_jumbo() {
    ping_sizes 192.0.2.2 1 2006 2007 8972
    peers udp-client 192.0.2.2 7 2500 4000
    get 192.0.2.2 large.txt
}

traffic_unreachable() { peers udp-closed 192.0.2.2 9 6; }

# Runs functions at the same time, so that their packets get mixed.
together() {
    local jobs=() job
    for job in "$@"; do
        $job &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do wait "$job"; done
}

traffic_mixed() {
    local _
    set_mtu 1500
    for _ in 1 2; do
        together traffic_ping traffic_http "traffic_dns 30" traffic_ipv6 traffic_vlan traffic_unreachable
    done
    traffic_fragments
    set_mtu 9000
    traffic_jumbo
}

# ---- the recording ---------------------------------------------------------

# record NAME MTU: records traffic_NAME on the interface of the server. The MTU
# must be the largest one of the traffic, because tcpdump takes the size of its
# buffers from it and would cut longer frames.
record() {
    local name=$1 log=$work/$1.log pid
    set_mtu "$2"
    # Forget the neighbours, so that each capture begins with its own ARP or
    # neighbour discovery.
    ip -n "$client" neigh flush all
    ip -n "$server" neigh flush all
    # "-Z root" keeps tcpdump able to write to the temporary folder.
    # No helper function here: $! must be the id of tcpdump, not of a subshell.
    ip netns exec "$server" tcpdump -n -p -U -Z root --immediate-mode -i eth0 -w "$work/$name.pcap" 2>"$log" &
    pid=$!
    pids+=("$pid")
    wait_for "tcpdump" grep -q 'listening on' "$log"
    "traffic_$name"
    # Let the last packets get to tcpdump.
    sleep 0.5
    # Not INT, which bash lets background commands ignore.
    kill -TERM "$pid"
    wait "$pid"
    # It has ended, so cleanup must not send a signal to its number.
    unset 'pids[-1]'
    grep -q '^0 packets dropped by kernel' "$log" || die "tcpdump lost packets of $name"
    echo "recorded $name"
}

record ping 1500
record http 1500
record dns 1500
record ipv6 1500
record vlan 1500
record fragments 1500
record jumbo 9000
record mixed 9000
# tcpdump writes classic pcap only.
editcap -F pcapng "$work/mixed.pcap" "$work/mixed.pcapng"
rm -- "$work/mixed.pcap"

# Nothing is replaced before all the recordings are there.
chmod 644 -- "$work"/*.pcap "$work"/*.pcapng
mv -- "$work"/*.pcap "$work"/*.pcapng "$out"/
"$here/count.sh" "$out"
