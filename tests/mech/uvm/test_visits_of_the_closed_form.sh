#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The closed form visits a page as often as it is touched: where pages stay on the host, are fetched
# late or leave, and where walks make predictions, its cycles are near those of full. It knew first
# touches only, and was 200 times too short on the first of these. Small programs are run whole.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

# cell FIDELITY COLUMN NAME=VALUE...
cell() {
    "$memsweep" eval uvm --fidelity "$1" -f tsv "${@:3}" >point.tsv
    awk -F '\t' -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
        NR == 2 {print $at[name]}' point.tsv
}
# near PERCENT SETTING...
near() {
    part=$1 closed=$(cell analytic cycles "${@:2}") full=$(cell full cycles "${@:2}")
    awk -v a="$closed" -v b="$full" -v p="$part" 'BEGIN {exit !(a > 0 && b > 0 &&
        (a > b ? a / b : b / a) <= 1 + p / 100)}' || fail "${*:2}: $closed, full $full"
}

# By hand: 98,304 lines, each 200 cycles of the link, after the first walk.
closed=$(cell analytic cycles -w uvm/addvectors migration=zero_copy)
awk -v a="$closed" 'BEGIN {exit !(a >= 98304 * 200 && a < 98304 * 200 + 500)}' ||
    fail "zero copy of 98,304 lines: $closed"

near 1 -w uvm/addvectors migration=zero_copy
near 1 -w uvm/addvectors migration=zero_copy remote_bandwidth=12
near 10 -w uvm/addvectors migration=delayed migrate_threshold=64
near 1 -w uvm/streamtriad oversubscription=1.5 eviction=lru_page
near 1 -w uvm/hotspot/side=256 oversubscription=1.3 prefetcher=none
near 1 -w uvm/addvectors prefetcher=markov1 predict_on=walk
near 0 -w uvm/nw/n=64 migration=adaptive
near 0 -w uvm/bicg/n=64 fault_charge=batched
# Walks of many SMs ask in their turns (5.3 times too long when the first row's filled the queue).
near 70 -w uvm/addvectors prefetcher=sequential predict_on=walk predict_by=sm predict_unit=block predict_distance=4 \
    predict_degree=4 predict_latency=0 fault_charge=serial page_size=16KiB tlb_entries=16 walk_of=page sms=80 link=fixed
# Lines over a wide link follow each other while their warps wait (1.57 times too long).
near 5 -w uvm/2dconv migration=zero_copy remote_bandwidth=100 page_size=512KiB walk_of=page sms=4 fault_wait=access
# The last warp that waited has its loop before it, alone (52 % too short).
near 25 -w uvm/atax

# Warps that evict each other's pages: not known without time, and said.
same "$(cell analytic doubt -w uvm/atax/n=512 oversubscription=1.5 eviction=lru_block |
    grep -c 'came again')" 1 "doubt"
finish
