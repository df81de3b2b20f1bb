#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is the front of more rows than are held at a time that of all of them, with their groups and
# counts?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"

# At most 32,768 rows are held before those behind the front are dropped.
cat >many.yaml <<'END'
sweep: many
mechanism: "null"
workloads: [synth/small, synth/even]
fidelity: analytic
design: {kind: random, points: 50000}
vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1, count: 33}}
objectives: {minimize: [f1, f2]}
fix: {function: zdt1, feasible_sum: 1.5}
derive: {early: 'x1 < 0.1'}
END
"$memsweep" run many.yaml -q -o many.db || fail "run"

# Ranks ask for all rows, so they are held.
for groups in none workload workload,x2 early; do
    held=$("$memsweep" pareto many.db --group-by $groups --ranks 2 -f tsv --columns point,f1,f2 |
        awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
            NR > 1 && $at["rank"] == 0 {print $at["point"], $at["f1"], $at["f2"]}')
    sieved=$("$memsweep" pareto many.db --group-by $groups -f tsv --columns point,f1,f2 |
        awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
            NR > 1 {print $at["point"], $at["f1"], $at["f2"]}')
    [ -n "$held" ] || fail "no front by $groups"
    same "$sieved" "$held" "front by $groups"
done
ok=$("$memsweep" query many.db -f tsv --sql "SELECT count(*) FROM many WHERE f1 IS NOT NULL" | tail -1)
out=$("$memsweep" pareto many.db --group-by none | sed 's/,\([0-9]\)/\1/g')
has "$out" "of $ok points"
has "$out" "$((100000 - ok)) infeasible"
finish
