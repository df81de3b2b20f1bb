#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 068. A sweep whose points are all infeasible ended with exit code 0 and no reason.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
cat >inf.yaml <<'END'
sweep: inf
mechanism: null
workloads: [synth/small]
fidelity: analytic
vary: {x1: [0.1, 0.2], x2: [0.1, 0.2]}
fix: {feasible_sum: 0.05}
END
why="all 4 points are infeasible, 2 of them because: x1 + x2 = 0.3 is above feasible_sum = 0.05"
gives 1 "$memsweep" run inf.yaml -o x.db -q
has "$err" "$why"
gives 1 "$memsweep" run inf.yaml -o x.db -q # none left to evaluate
has "$err" "$why"
gives 1 "$memsweep" run inf.yaml --no-store -q
has "$err" "all 4 points are infeasible"
sed -i 's/0.05/0.25/' inf.yaml
gives 0 "$memsweep" run inf.yaml -o y.db -q # one is not
same "$err" "" "what is said about some"
finish
