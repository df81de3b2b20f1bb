#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 536. A page trace of several launches is replayed launch by launch: a decoder writes its
# new keys and values before any warp reads them. On demand faults are the pages it touches, in
# groups and over all warps.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

small="decode.layers=1 decode.batch=2 decode.context=40 decode.steps=2 decode.spread=0"
"$memsweep" eval uvm -w decode/llama3_1b $small -d pages -f csv prefetcher=none page_trace=all >all.pages ||
    fail "no trace"
# keys written, values written, both read; twice. In order of time, what follows what:
seen=$(tail -n +2 all.pages | sort -s -t, -k1,1n | cut -d, -f4 | sed 's/[12]/read/' | uniq | tr '\n' ' ')
same "$seen" "3 4 read 3 4 read " "launches in order"
# blocks of 16 tokens: 3 for 41 and 42 tokens each, 8 heads x 2 KiB, keys and values: 2 x 6 x 4 pages
same "$(tail -n +2 all.pages | cut -d, -f5 | sort -u | wc -l)" 48 "pages of caches"

metric() {
    awk -F '\t' -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} NR == 2 {print $c}' "$2"
}
for group in 0 1; do
    for fidelity in full analytic; do
        "$memsweep" eval uvm -w decode/llama3_1b $small decode.group=$group --fidelity $fidelity -f tsv \
            prefetcher=none >run.tsv || fail "group $group"
        same "$(metric far_faults run.tsv) $(metric pages_touched run.tsv)" "48 48" "faults, $fidelity, group $group"
    done
    same "$(metric accesses run.tsv)" "$(($(wc -l <all.pages) - 1))" "accesses, group $group"
done
"$memsweep" eval uvm -w decode/llama3_1b $small decode.weights=paged --fidelity analytic -f tsv prefetcher=none >run.tsv
# 60.8 M weights of the layer and 262.7 M of the head, 2 B each
same "$(metric far_faults run.tsv)" $((48 + 29696 + 128256)) "faults with weights"
finish
