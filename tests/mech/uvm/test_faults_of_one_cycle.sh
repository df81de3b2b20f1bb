#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 611. A stream takes six faults for each tree of 2 MiB; one whose first cycle faults on p
# pages of a block takes p - 1 more.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

# P SMs read the first P pages of a tree in one cycle, then the first SM the others, page by page.
stream() { # P
    local i
    for ((i = 0; i < $1; i++)); do echo "$i $i 0 16 $i r"; done
    for ((i = $1; i < 512; i++)); do echo "$((i + 100)) 0 0 16 $i r"; done
}
for p in 1 2 4 8 16; do
    stream $p >stream.pages
    "$memsweep" eval uvm -w stream.pages -f tsv sms=16 fault_wait=access prefetcher=tree >stream.tsv
    found=$(awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR == 2 {print $at["far_faults"], $at["pages_in"]}' stream.tsv)
    same "$found" "$((6 + p - 1)) 512" "$p pages in the first cycle"
done
finish
