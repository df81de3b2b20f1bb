#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 100. --group-by "workload,gain" grouped by the last name only. Now by all, each a column of
# its own, in every command that groups rows.
source "$(dirname "$0")/../cli/common.sh"

cat >two.yaml <<'END'
sweep: two
mechanism: null
workloads: [synth/small, synth/even]
fidelity: analytic
vary: {gain: [1, 2, 3], x1: [0, 0.25, 0.5, 1], x2: [0, 0.5, 1]}
objectives: {minimize: [slowdown, x1]}
END
gives 0 "$memsweep" run -q two.yaml
gives 0 "$memsweep" sensitivity two -m 'x1 + gain*x2' -g 'workload, gain' -f tsv
same "$(cut -f1,2 out | sort -u | grep -c synth)" 6 "groups of two workloads and three gains"
has "$out" $'workload\tgain\tfactor'
gives 0 "$memsweep" surrogate two -m 'x1 + gain*x2' -g 'workload,gain' --degree 1 -f tsv
same "$(cut -f1,2 out | sort -u | grep -c synth)" 6 "groups of the surrogate"
gives 0 "$memsweep" pareto two -g 'workload,gain' --hypervolume -f tsv
same "$(tail -n +2 out | wc -l)" 6 "fronts"
has "$out" $'workload\tgain\tpoints'
gives 0 "$memsweep" pareto two -g 'workload,min(gain, 2)' --hypervolume -f tsv
same "$(tail -n +2 out | wc -l)" 4 "a comma in brackets divides no names"
gives 2 "$memsweep" pareto two -g 'gain,gain'
has "$err" "twice"
gives 2 "$memsweep" sensitivity two -m x1 -g 'workload,gian'
has "$err" "gian"

gives 0 "$memsweep" run -q two.yaml --fidelity full -o both.db
gives 0 "$memsweep" run -q two.yaml -o both.db
gives 0 "$memsweep" agree both.db -m cycles -g 'workload, gain' -f tsv
same "$(tail -n +2 out | cut -f1 | sort -u | wc -l)" 6 "groups of pairs"
has "$out" "synth/small, 2"

# A figure finds the groups of a result that was kept.
gives 0 "$memsweep" sensitivity two -m 'x1 + gain*x2' -g 'workload,gain' --save
gives 0 "$memsweep" query two --sql "SELECT json_extract(result, '\$[0].\"workload,gain\"') AS g FROM msw_analysis" -f tsv
same "$out" $'g\nsynth/small, 1' "the group as one name"
finish
