#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 145. A panel whose values lie within one step of the widest panel had no number on x.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >axes.yaml <<END
sweep: axes
mechanism: neummu
workloads: [alexnet/b1, resnet50/b1, rnn2/b1]
fidelity: analytic
vary: {ptw_count: [8, 16, 64, 256], prmb_slots: [0, 8], page_size: [4KiB, 2MiB]}
END
gives 0 "$memsweep" run axes.yaml -o axes.db -q
# panels FILE COUNT: below each of the lowest x axes stand at least two texts of numbers or names
gives 0 "$memsweep" sensitivity axes.db --save -g page_size,workload --method oat
gives 0 "$memsweep" plot axes.db --figure tornado,front -m slowdown,energy_translation_nj -f svg -o .
# rows FILE: for every panel title, the count of tics on x between it and the next row
below() {
    texts "$1" | awk -F '\t' '
        $4 == "start" && $6 ~ /\/b1/ { n++; x[n] = $1; y[n] = $2 }
        $4 == "middle" && $3 == 0 && $6 ~ /^ *[0-9.]+[kM]?$/ { m++; tx[m] = $1; ty[m] = $2 }
        END {
            for (p = 1; p <= n; p++) {
                next_y = 1e9; right = 1e9
                for (q = 1; q <= n; q++) {
                    if (y[q] > y[p] + 5 && y[q] < next_y) next_y = y[q]
                    if (x[q] > x[p] + 5 && x[q] < right) right = x[q]
                }
                count = 0
                for (t = 1; t <= m; t++)
                    count += tx[t] >= x[p] - 9 && tx[t] < right - 9 && ty[t] > y[p] && ty[t] < next_y
                print count
            }
        }'
}
for figure in tornado front; do
    below axes-$figure.svg >counts
    [ "$(wc -l <counts)" -ge 3 ] || fail "$figure has $(wc -l <counts) panels"
    grep -qx 0 counts && fail "$figure: a panel has no number on x: $(tr '\n' ' ' <counts)"
    inside_frame axes-$figure.svg
done
finish
