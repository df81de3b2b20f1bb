#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 102. Without --group-by a front mixed the workloads, and the easiest of them was all of it.
source "$(dirname "$0")/../cli/common.sh"

cat >two.yaml <<'END'
sweep: two
mechanism: null
workloads: [synth/small, synth/even, synth/skewed]
fidelity: analytic
vary: {gain: [1, 2, 4], x1: [0, 0.5, 1]}
derive: {price: "8 - gain + x1"}
objectives: {minimize: [cycles, price]}
END
gives 0 "$memsweep" run -q two.yaml
gives 0 "$memsweep" pareto two -f tsv
apart=$(tail -n +2 out | wc -l)
same "$(tr '\t' '\n' <out | grep -c '^synth/small$')" 3 "small on its front"
same "$(tr '\t' '\n' <out | grep -c '^synth/even$')" 3 "even on its front"
same "$apart" 9 "points on three fronts"
gives 0 "$memsweep" pareto two
has "$out" "one front per workload (--group-by none: one of all)"
gives 0 "$memsweep" pareto two -c x1 -f tsv
has "$(head -1 out)" workload
gives 0 "$memsweep" pareto two --group-by none -f tsv
[ "$(tail -n +2 out | wc -l)" -lt "$apart" ] || fail "one front of all rows: $out"
gives 0 "$memsweep" pareto two --hypervolume -f tsv
same "$(tail -n +2 out | wc -l)" 3 "a hypervolume per workload"
gives 2 "$memsweep" pareto two --against two
has "$err" "--group-by none"
gives 0 "$memsweep" pareto two --against two -w "workload = 'synth/even'" -f tsv
gives 0 "$memsweep" pareto two --against two -g none -f tsv
gives 0 "$memsweep" pareto two -w "workload = 'synth/even'"
lacks "$out" "one front per workload"
gives 0 "$memsweep" pareto two --save -f tsv
gives 0 "$memsweep" query two --sql "SELECT json_extract(settings, '\$.group_by') AS g FROM msw_analysis" -f tsv
same "$out" $'g\nworkload' "what was kept"
finish
