#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 463. Pages of a block whose fault waits for its prediction join it: by hand, and in a
# program where each used to fault and to ask for a prediction of its own.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

asked="prefetcher=sequential predict_holds=fault"
metrics() {
    awk -F '\t' -v names="$1" 'NR == 1 {n = split(names, wanted, " "); for (i = 1; i <= NF; i++) column[$i] = i}
        NR == 2 {for (i = 1; i <= n; i++) printf "%s%s", $column[wanted[i]], i < n ? " " : "\n"}'
}

# Four warps of an SM touch four pages of one block, 20 instructions apart, while the first one's
# prediction takes 1481 cycles: one fault, one prediction, three that join.
for warp in 0 1 2 3; do
    for i in $(seq 0 "$warp"); do echo "$i 0 $warp 16 $((512 + i)) r"; done
done >t.pages
same "$("$memsweep" eval uvm -w t.pages -f tsv $asked sms=2 pages_open=8 pages_instructions=20 |
    metrics 'far_faults predictions predictions_dropped first_touches pages_touched')" "1 1 0 4 4" "four pages of a block"
same "$("$memsweep" eval uvm -w uvm/2dconv/h=64 -f tsv $asked predict_queue=65536 |
    metrics 'far_faults predictions pages_touched')" "8 8 126" "2DCONV"
finish
