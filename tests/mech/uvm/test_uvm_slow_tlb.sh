#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a look-up that takes long delay its line, and not the lines behind it? Its time counted as
# that of a line which waits for the memory, so that look-ups of more cycles than the queue holds
# came one after the other: with 87 cycles this program took 17 times as long as with 1.
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

# ask CYCLES: cycles at full.
ask() {
    "$memsweep" eval uvm -w uvm/bicg/n=256 --fidelity full -f tsv tlb_cycles="$1" |
        awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "cycles") c = i} NR == 2 {print $c}'
}
# Two launches of 256 rounds, each of which waits for some look-ups.
awk -v a="$(ask 1)" -v b="$(ask 87)" 'BEGIN {exit !(a > 0 && b > a && b < a + 2 * 256 * 2 * 86)}' ||
    fail "look-ups of 1 and 87 cycles: $(ask 1), $(ask 87)"
finish
