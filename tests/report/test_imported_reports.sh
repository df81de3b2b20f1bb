#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 727. Does the page of an imported sweep leave out the button that saves a sweep file, which
# nothing could run?
source "$(dirname "$0")/../cli/common.sh"

printf 'a,b,y,z\n1,1,3,1\n2,1,1,4\n1,2,2,3\n2,2,2,2\n' >table.csv
gives 0 "$memsweep" import table.csv -i a,b -u 'y min,z min' -o table.db
gives 0 "$memsweep" report table.db -o table.html
has "$(cat table.html)" '"runnable": false'
has "$(cat table.html)" '<span id="again" hidden>'
has "$(cat table.html)" 'byId("again").hidden = !report.runnable'
cat >own.yaml <<'END'
sweep: own
mechanism: null
workloads: [synth/small]
fidelity: analytic
vary: {gain: [1, 2], cost_tail: [0, 1, 2]}
objectives: {minimize: slowdown}
END
gives 0 "$memsweep" run own.yaml -o own.db -q
gives 0 "$memsweep" report own.db -o own.html
has "$(cat own.html)" '"runnable": true'
finish
