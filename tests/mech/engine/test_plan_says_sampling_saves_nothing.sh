#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 122. Does `plan` say where sampling measures every unit, and are the rows then those of
# full?
source "$(dirname "$0")/../../cli/common.sh"

awk 'BEGIN { for (x = i = 0; i < 12000; i++) { x = (x * 16807 + 12345) % 2147483647; print x } }' >few.trace
cat >few.yaml <<'END'
sweep: few
mechanism: htmmu
workloads: [few.trace]
vary: {streams: [1, 4]}
END
gives 0 "$memsweep" plan few.yaml --trial 60s --fidelity sampled
has "$out" "sampling   saves nothing at 2 of 2 points tried: every unit is measured there, in order, as at full"
gives 0 "$memsweep" plan few.yaml --trial 60s --fidelity full
lacks "$out" "saves nothing"
columns="streams, cycles, mean_wait, wait_p99, walks, units_total, events"
for fidelity in sampled full; do
    gives 0 "$memsweep" run -q few.yaml --fidelity $fidelity -o $fidelity.db
    gives 0 "$memsweep" query $fidelity.db -c "$columns, units_measured" -f tsv
    cp out $fidelity.tsv
done
cmp -s sampled.tsv full.tsv || fail "rows of sampled and full differ: $(diff sampled.tsv full.tsv)"
gives 0 "$memsweep" query sampled.db -c "fidelity, cycles_hw = 0 AS exact, units_total = units_measured AS whole" -f tsv
same "$(tail -1 out)" "sampled	1	1" "a row measured whole"
finish
