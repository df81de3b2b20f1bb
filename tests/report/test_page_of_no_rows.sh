#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 842. Is there a page, and a front, of a sweep of several workloads without a row that takes
# part? Both said "groups are given, but their count is 0", which a run that has just begun met too.
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
cat >two.yaml <<'END'
sweep: two
mechanism: null
workloads: [synth/even, synth/small]
fidelity: analytic
vary: {x1: [0, 0.5, 1]}
fix: {function: zdt1}
objectives: {minimize: [f1, f2]}
END
gives 0 "$memsweep" run two.yaml -o two.db -q
gives 0 "$memsweep" pareto two.db -w 'x1 > 2'
has "$out" "(0 rows)"
"$memsweep" report two.db --no-figures -w 'x1 > 2' -o none.html >/dev/null 2>err || {
    grep -q node-d3 err && exit 77
    fail "$(cat err)"
}
has "$(cat none.html)" '"front_note": "0 of 0 points'
gives 0 "$memsweep" report two.db --no-figures -w 'point = 3' -o one.html
gives 0 "$memsweep" report two.db --no-figures --over workload -o over.html
command -v python3 >/dev/null && command -v chromium >/dev/null || finish
for page in none one over; do
    timeout 100 python3 "$MEMSWEEP_SOURCE/tests/cli/report_page.py" opens $page.html "$work" || bad=1
done
finish
