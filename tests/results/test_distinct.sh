#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 422. Does --distinct show one line for designs that differ only where nothing depends on
# it, say how many there are, and leave empty what they differ in?
source "$(dirname "$0")/../cli/common.sh"

cat >idle.yaml <<'END'
sweep: idle
mechanism: null
workloads: [synth/even, synth/small]
fidelity: analytic
vary: {gain: [1, 2], cost_tail: [0, 1, 2], unit_events: [1, 2]}
objectives: {minimize: slowdown}
END
gives 0 "$memsweep" run idle.yaml -o idle.db -q
gives 0 "$memsweep" query idle.db -f tsv -c 'point, workload, gain, cost_tail, slowdown' --distinct
same "$(sed 1d out | cut -f 2,3,4,6 | tr '\t\n' ',;')" \
    'synth/even,1,,6;synth/even,2,,6;synth/small,1,,6;synth/small,2,,6;' 'lines'
gives 0 "$memsweep" query idle.db -f tsv -c 'gain' --distinct --limit 3
same "$(wc -l <out)" 4 'limit counts lines'
gives 0 "$memsweep" pareto idle.db --over workload --distinct -f tsv
same "$(wc -l <out)" 2 'front in one line'
has "$out" "alike"
gives 0 "$memsweep" pareto idle.db --over workload -f tsv
same "$(wc -l <out)" 7 'front as it is'
finish
