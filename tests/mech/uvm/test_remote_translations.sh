#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 610. Pages of the host in the TLB: a page is walked for once, its other lines go over the
# link without a walk, until it is fetched; then it is walked for again. Counted by hand.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

# Two pages of one block: 100 three times, 101, 100.
for page in 100 100 100 101 100; do
    echo "0 0 0 16 $page r"
done >five.pages
# counts NAME=VALUE...: walks, lines that the TLB translates, remote lines, faults.
counts() {
    "$memsweep" eval uvm -w five.pages -f tsv sms=1 fault_wait=access prefetcher=none "$@" >five.tsv
    awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
        NR == 2 {print $at["walks"], $at["tlb_hits"], $at["remote"], $at["far_faults"]}' five.tsv
}
for entries in 4096 16; do
    same "$(counts tlb_entries=$entries migration=zero_copy)" "5 0 5 0" "each line is walked for"
    same "$(counts tlb_entries=$entries migration=zero_copy remote_translations=on)" "2 3 5 0" "each page is"
    # The third access is the block's third and fetches page 100, the fourth 101; the fifth finds it.
    same "$(counts tlb_entries=$entries migration=delayed migrate_threshold=3)" "4 1 2 2" "fetched at a walk"
    same "$(counts tlb_entries=$entries migration=delayed migrate_threshold=3 remote_translations=on)" \
        "3 2 2 2" "fetched where the TLB has its place on the host"
done
finish
