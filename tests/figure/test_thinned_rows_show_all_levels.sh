#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect: `parallel` drew every third of 3,000 points of a grid whose fastest factor has three levels:
# one level was all it showed. Does a figure that draws some of the rows show all levels alike? Each
# of three levels has a third of 1,000 lines: 333, with a standard deviation of 15.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >thin.yaml <<'END'
sweep: thin
mechanism: "null"
workloads: [synth/even]
fidelity: analytic
vary:
  x1: {from: 0, to: 1, count: 40}
  x2: {from: 0, to: 1, count: 25}
  x3: [0, 0.5, 1]
objectives: {minimize: [y, f1]}
fix: {function: zdt1}
END
gives 0 "$memsweep" run thin.yaml -o thin.db -q
gives 0 "$memsweep" plot thin.db -F parallel --data -f svg -o .
for level in 0 0.5 1; do
    lines=$(awk -F '\t' -v level=$level '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR > 1 && $column["front"] == 0 && $column["x3"] == level { n++ }
        END { print n + 0 }' thin-parallel.tsv)
    [ "$lines" -gt 270 ] && [ "$lines" -lt 400 ] || fail "$lines of some 1,000 lines have x3 = $level"
done
! grep -nE '(point|row_id|rowid|id) *% ' "$MEMSWEEP_SOURCE"/analysis/*.sql ||
    fail "a recipe thins by a remainder, which shares levels of a grid: ORDER BY :random_order LIMIT n"
finish
