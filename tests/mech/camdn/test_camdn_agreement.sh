#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 622. Do closed form and cycle model of camdn agree on the light mix as its README says? 96
# points at full take minutes: with MEMSWEEP_FULL=1 only.
source "$(dirname "$0")/../../cli/common.sh"
[ -n "${MEMSWEEP_FULL:-}" ] || {
    echo "skipped: MEMSWEEP_FULL=1 runs it"
    exit 77
}
sweep=$MEMSWEEP_SOURCE/sweeps/agreement/camdn.yaml
gives 0 "$memsweep" run "$sweep" -q -o agree.db
gives 0 "$memsweep" run "$sweep" -q -o agree.db --fidelity full
gives 0 "$memsweep" agree agree.db -m cycles,traffic -f tsv

# column METRIC NAME: a number of the row of analytic against full.
column() {
    awk -F '\t' -v metric="$1" -v name="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["metric"] == metric { print $at[name] }' <<<"$out"
}
within() {
    awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x != "" && x >= low && x <= high) }' ||
        fail "$4: $1, wanted $2 to $3"
}
within "$(column traffic median)" 0 0.02 "median error of the traffic"
within "$(column cycles median)" 0.03 0.12 "median error of the latency"
within "$(column traffic tau)" 0.85 1 "order of the traffic"
within "$(column cycles tau)" 0.85 1 "order of the latency"
within "$(column bound_by same)" 0.7 1 "same bottleneck"
finish
