#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 940. Does the closed form tell tenants apart? Algorithm 1 gives pages to some and not to
# others, and to as many as are busy; a tenant finds what it left behind where the networks in
# between, each counted once, leave it there; tenants may have a network each. What the cycle model
# charges a task is what it made dirty, whoever drives it out. And gangs have so many ports.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
mobile='-w mix:mobilenet_v2+efficientnet_b0'

# value METRIC FIDELITY ARGUMENTS
value() {
    local metric=$1 fidelity=$2
    shift 2
    "$memsweep" eval camdn --fidelity "$fidelity" -f tsv "$@" >out 2>err ||
        fail "eval at $fidelity $*: exit code $?, $(cat err)"
    awk -F '\t' -v name="$metric" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%.0f", $at[name] }' out
}

# near METRIC PERCENT ARGUMENTS: the closed form is as near to the cycle model
near() {
    local metric=$1 percent=$2 closed full
    shift 2
    closed=$(value "$metric" analytic "$@") full=$(value "$metric" full "$@")
    awk -v a="$closed" -v b="$full" -v p="$percent" \
        'BEGIN { exit !(a - b <= p / 100 * b && b - a <= p / 100 * b) }' ||
        fail "$metric of $*: $closed, at full $full"
}

whole='--preset camdn_full draw=deck tasks=2 first_tasks=2 tenants=8 blocks=whole'
near traffic_task 10 $mobile $whole
near traffic_task 5 $mobile $whole arrivals=poisson load=0.4
near traffic_task 0 -w mix:mobilenet_v2 tenants=1 tasks=2 first_tasks=6 cache_size=24MiB
near traffic_task 3 -w mix:mobilenet_v2:2+efficientnet_b0 draw=pinned tenants=3 tasks=2
near latency 8 -w mix:mobilenet_v2:2+efficientnet_b0 draw=pinned tenants=3 tasks=2

# lines that bypass take no room; idle NPUs leave theirs to others; tenants side by side bring
# weights for each other; parts of the ways are as many as tenants, not as NPUs
near traffic_task 5 -w mix:mobilenet_v2 tenants=1 tasks=2 first_tasks=1 bypass=on
near traffic_task 5 -w mix:mobilenet_v2 tenants=4 npus=2 tasks=2 arrivals=poisson load=0.1 cache_size=24MiB
near traffic_task 5 -w mix:mobilenet_v2 tenants=4 tasks=2 weights=shared cache_size=8MiB
near traffic_task 10 -w mix:mobilenet_v2 tenants=8 npus=2 tasks=2 arrivals=poisson load=0.3 share=ways cache_size=8MiB

# what DRRIP keeps is said to be in doubt where it decides, and found where it fits
drrip='-w mix:mobilenet_v2 tenants=1 tasks=2 first_tasks=2 replacement=drrip'
near traffic_task 5 $drrip cache_size=24MiB
near traffic_task 30 $drrip cache_size=16MiB
"$memsweep" eval camdn --fidelity analytic $drrip cache_size=16MiB >out 2>err
grep -q "DRRIP may keep 56 %" out err || fail "no doubt: $(cat out err)"

# lines that uncounted tasks leave dirty are theirs
few=$(value traffic_task full -w mix:mobilenet_v2 tenants=1 tasks=2 first_tasks=2 cache_size=4MiB)
more=$(value traffic_task full -w mix:mobilenet_v2 tenants=1 tasks=2 first_tasks=2 cache_size=16MiB)
[ "$more" -le "$few" ] || fail "with four times the cache $more B a task, not $few"

# each of the 64 operators of a lone tenant begins later
for fidelity in analytic full; do
    at_once=$(value latency $fidelity -w mix:mobilenet_v2 tenants=1 tasks=1)
    later=$(value latency $fidelity -w mix:mobilenet_v2 tenants=1 tasks=1 start_cycles=1000)
    [ $((later - at_once)) = 64000 ] || fail "start_cycles at $fidelity: $at_once, then $later"
done

# n ports
value latency full -w mix:resnet50 arrivals=poisson load=0.3 tenants=2 npu_policy=static gang=2 \
    tasks=1 first_tasks=0 port_bytes=4 >/dev/null

"$memsweep" eval camdn draw=pinned arrivals=poisson >out 2>err && fail "tasks have no tenant"
grep -q "draw pinned" out err || fail "$(cat out err)"
finish
