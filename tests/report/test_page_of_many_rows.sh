#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 840. Does a page of more rows than it holds exactly show what the database has: levels as
# they are, other numbers within half a step of their scale, the front and pinned rows exactly; and
# does it say so? MEMSWEEP_FULL: a million rows in at most 10 MB, with the times of a browser.
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
rows=${MEMSWEEP_FULL:+500000}
cat >many.yaml <<END
sweep: many
mechanism: null
workloads: [synth/even, synth/small]
fidelity: analytic
design: {kind: random, points: ${rows:-10050}}
vary:
  x1: {from: 0, to: 1}
  x2: {from: 0, to: 1}
  gain: [1, 1.5, 2, 4]
  synth.units: [16, 32, 64]
fix: {function: zdt1}
objectives: {minimize: [f1, f2, slowdown]}
END
gives 0 "$memsweep" run many.yaml -o many.db -q
"$memsweep" report many.db --no-figures -o many.html >/dev/null 2>err || {
    grep -q node-d3 err && exit 77
    fail "$(cat err)"
}
[ "$(wc -c <many.html)" -le 10000000 ] || fail "the page takes $(wc -c <many.html) bytes"
has "$(grep -o '"whole": [a-z]*' many.html)" false
has "$(grep -o '"left_out": .*' many.html)" '["rate", "not among those asked for"]'
has "$(grep -o '"thinned": .*' many.html)" "steps of 1/2046"

# What is asked for is there, and nothing else that it would take the place of.
gives 0 "$memsweep" report many.db --no-figures -o asked.html --columns rate,work --pin 'point < 7'
has "$(grep -o '"name": "rate"' asked.html | wc -l)" 2
lacks "$(grep -o '"left_out": .*' asked.html)" '"rate"'
has "$(grep -o '"pinned": {"count": [0-9]*' asked.html)" 7
gives 2 "$memsweep" report many.db --no-figures -o asked.html --columns ratte
has "$err" "rate"
gives 2 "$memsweep" report many.db --no-figures -o asked.html --pin 'ratte > 1'
has "$err" "rate"

command -v python3 >/dev/null && command -v chromium >/dev/null || finish
drive() {
    timeout 200 python3 "$MEMSWEEP_SOURCE/tests/cli/report_page.py" "$1" many.html "$work" || bad=1
}
if [ -n "${MEMSWEEP_FULL:-}" ]; then
    gives 0 "$memsweep" report many.db -o figures.html
    has "$(cat figures.html)" "Not drawn here for 1,000,000 rows: <code>memsweep plot"
    drive speed
else
    "$memsweep" query many.db -f csv >exact.csv
    drive large
fi
finish
