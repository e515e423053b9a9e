#!/usr/bin/env bash
# Counts the packets of the captures with tshark. Writes counts.json, and the
# table in README.md when the folder has one. Fails when a capture is not sound.
#
# Usage: count.sh [DIR]      (default: the folder of this script)
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
dir=${1:-$here}

die() {
    echo "count.sh: $*" >&2
    exit 1
}

for tool in tshark tcpdump; do
    command -v "$tool" >/dev/null || die "missing tool: $tool (apt-get install tshark tcpdump)"
done

files=(ping.pcap http.pcap dns.pcap ipv6.pcap vlan.pcap fragments.pcap jumbo.pcap mixed.pcapng)

# The names in counts.json and the filter of each one. tshark gives a tagged
# frame the eth.type 0x8100, so the first three hold untagged frames only.
names=(frames ipv4 icmp ipv6 arp vlan jumbo ttl_le_1 ipv4_multicast)
declare -A filter=(
    [frames]='frame'
    [ipv4]='eth.type == 0x0800'
    [icmp]='ip.proto == 1 && !vlan'
    [ipv6]='eth.type == 0x86dd'
    [arp]='eth.type == 0x0806'
    [vlan]='vlan'
    [jumbo]='frame.len > 2048'
    [ttl_le_1]='ip.ttl <= 1'
    [ipv4_multicast]='ip.dst >= 224.0.0.0'
)

errors=$(mktemp)
trap 'rm -f -- "$errors"' EXIT

# Prints how many lines a command prints. Shows its errors only when it fails,
# because tshark warns on each run as root.
lines_of() {
    local text
    text=$("$@" 2>"$errors") || {
        cat -- "$errors" >&2
        die "failed: $*"
    }
    grep -c . <<<"$text" || true
}

# Without reassembly tshark shows each fragment as it is on the wire, with the
# protocol field of its own IPv4 header.
count() {
    lines_of tshark -n -r "$dir/$file" -o ip.defragment:FALSE -Y "$1" -T fields -e frame.number
}

# The same for checksums. These need reassembly, because a UDP or ICMP checksum
# covers all fragments of a datagram.
count_checked() {
    lines_of tshark -n -r "$dir/$file" -o ip.defragment:TRUE -o ip.check_checksum:TRUE \
        -o tcp.check_checksum:TRUE -o udp.check_checksum:TRUE -Y "$1" -T fields -e frame.number
}

# The assignment makes the script stop when a count fails.
must_be() {
    local expected=$1 what=$2 found
    found=$("${@:3}")
    [[ $found -eq $expected ]] || die "$file: $what: $found, must be $expected"
}

json='' table=''
for file in "${files[@]}"; do
    [[ -r $dir/$file ]] || die "missing $dir/$file"
    declare -A n=()
    row='' cells=''
    for name in "${names[@]}"; do
        n[$name]=$(count "${filter[$name]}")
        row+=", \"$name\": ${n[$name]}"
        cells+=" ${n[$name]} |"
    done

    must_be "${n[icmp]}" "ICMP by tcpdump" lines_of tcpdump -n -r "$dir/$file" 'ip proto 1'
    must_be "${n[frames]}" "sum of the kinds" echo $((n[ipv4] + n[ipv6] + n[arp] + n[vlan]))
    must_be 0 "frames cut short" count 'frame.cap_len < frame.len'
    must_be 0 "malformed packets" count_checked '_ws.malformed'
    must_be 0 "bad IPv4 header checksums" count_checked 'ip.checksum.status == "Bad"'
    must_be "$(count_checked ip)" "good IPv4 header checksums" count_checked 'ip.checksum.status == "Good"'
    must_be 0 "bad TCP checksums" count_checked 'tcp.checksum.status == "Bad"'
    must_be 0 "bad UDP checksums" count_checked 'udp.checksum.status == "Bad"'
    must_be 0 "bad ICMP checksums" count_checked 'icmp.checksum.status == "Bad"'
    must_be 0 "bad ICMPv6 checksums" count_checked 'icmpv6.checksum.status == "Bad"'

    json+="${json:+,$'\n'}  \"$file\": {${row#, }}"
    table+="| \`$file\` |$cells"$'\n'
done

printf '{\n%s\n}\n' "$json" >"$dir/counts.json"

head="| File |"
line="| --- |"
for name in "${names[@]}"; do
    head+=" \`$name\` |"
    line+=" ---: |"
done
table="$head"$'\n'"$line"$'\n'"$table"

readme=$dir/README.md
if [[ -f $readme ]]; then
    new=$(TABLE=$table awk '
        /^<!-- counts end -->$/ { skip = 0 }
        !skip { print }
        /^<!-- counts begin -->$/ { skip = 1; printf "%s", ENVIRON["TABLE"] }' "$readme")
    printf '%s\n' "$new" >"$readme"
fi
printf '%s' "$table"
