#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 915. Does a network of repeated layers, whose walkers are always busy, keep its bound?
# Further executions are counted as the second one, which moved the sum 0.001 % below the bound. And
# is a path cache with more ways than entries one with as many ways as entries?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
busy='tlb_entries=2048 tlb_ways=1 tlb_cycles=3 ptw_count=8 walk_level_cycles=139 scoreboard=off prmb_slots=0
 path_cache=none boundary=overlapped dma_bytes=1KiB outstanding=0 frequency=1.3505022078752518
 bandwidth=776.2072997601598 npu_phase=decode npu_rows=64 npu_cols=256 npu_lanes=2
 npu_spm_activation=9614KiB npu_spm_weight=17393KiB npu_prefetch=on npu_element_bytes=2
 npu_weight_layout=input_major npu_alignment=8KiB walk_queue=4'
gives 0 "$memsweep" eval neummu -w rnn1/b4 $busy -f tsv
cell() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' out; }
same "$(cell status)" ok "a network of repeated layers"
awk "BEGIN { exit !($(cell least_walkers) <= $(cell cycles)) }" || fail "the bound is above the cycles"
for ways in 4 16 0; do
    gives 0 "$memsweep" eval neummu -w rnn1/b1 --preset neummu path_cache=unified path_entries=4 path_ways=$ways -f tsv
    same "$(cell status)" ok "4 entries in $ways ways"
    cell walk_accesses
done >accesses
same "$(grep -c . accesses)" 3 "three answers"
same "$(sort -u accesses | wc -l)" 1 "as many ways as entries, more, and all"
finish
