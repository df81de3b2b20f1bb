#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is a report one file that needs nothing else, holds what it promises, and works in a browser? The
# last part runs where chromium is installed.
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
cat >small.yaml <<'END'
sweep: small
mechanism: null
preset: slow
workloads: [synth/even, synth/small]
fidelity: sampled
vary:
  x1: {from: 0, to: 1, count: 11}
  function: [zdt1, zdt2]
  x2: {values: [0, 0.5], when: "function = 'zdt1'"}
fix: {carry: 5%, synth.units: 64, x3: "x1 / 10"}
derive: {area: "cycles * gain"}
objectives: {minimize: [f1, f2], maximize: rate}
END
gives 0 "$memsweep" run small.yaml -o small.db

gives 3 "$memsweep" report small.db --library nowhere/d3.min.js
has "$err" "node-d3"
gives 2 "$memsweep" report small.db --metric f3x
"$memsweep" report small.db --no-figures >/dev/null 2>&1 || {
    echo "skipped the rest: no D3 (package node-d3)"
    finish
}

# ---- the file ----
hostile="bound_by <> '</script><img src=x>'"
gives 0 "$memsweep" report small.db -o one.html -w "$hostile"
has "$out" "one.html"
gives 0 "$memsweep" report small.db -o two.html -w "$hostile"
cmp -s one.html two.html || fail "two reports of one database differ"
lacks "$(cat one.html)" "<img src=x>"
same "$(grep -o '</script>' one.html | wc -l)" "$(grep -o '<script' one.html | wc -l)" "script elements"
if grep -oE "(src|href) *= *[\"']?(https?:)?//[^\"' ]*|@import|url\( *[\"']?(https?:)?//" one.html; then
    fail "the page loads something"
fi
if command -v gnuplot >/dev/null; then
    has "$(cat one.html)" '<figure id="figure-front">'
    has "$(cat one.html)" "id='front-gpPt6'"
    gives 0 env PATH=/nowhere "$memsweep" report small.db -o bare.html
    has "$err" "install gnuplot"
    lacks "$(cat bare.html)" "<figure"
fi

# data PAGE EXPRESSION: a part of the JSON inside a page (j), as SQLite reads it.
data() {
    local json
    json=$(sed -n '/id="data">/,/<\/script>/p' "$1" | sed "s/.*id=\"data\">//; s/<\/script>.*//; s/'/''/g")
    "$memsweep" query small.db --format tsv --sql "SELECT $2 AS found FROM (SELECT '$json' AS j)" | tail -n +2
}
gives 0 "$memsweep" report small.db -o small.html --no-figures
same "$(data small.html "json_valid(j)")" 1 "whether the data are JSON"
same "$(data small.html "json_extract(j, '$.shown')")" 66 "rows in the page"
same "$(data small.html "json_extract(j, '$.front.count')")" \
    "$("$memsweep" pareto small.db -g workload --format tsv | tail -n +2 | wc -l)" "points on the front"

# What another sweep takes over is enough: its points are those that are answered already.
{
    printf 'sweep: chosen\nmechanism: null\nworkloads: [synth/even, synth/small]\nfidelity: sampled\n'
    data small.html "json_extract(j, '$.settings')" | sed 's/\\n/\n/g'
    printf 'design:\n  kind: list\n  points:\n'
    printf '    - {function: "zdt1", x1: 0.1, x2: 0.5}\n    - {function: "zdt2", x1: 0.2, x2: 0.5}\n'
} >chosen.yaml
gives 0 "$memsweep" check chosen.yaml
cp small.db copy.db
gives 0 "$memsweep" run chosen.yaml -o copy.db
has "$out$err" "none to evaluate"

# ---- in a browser ----
command -v python3 >/dev/null && command -v chromium >/dev/null || {
    echo "skipped the browser: no chromium or no python3"
    finish
}
drive() {
    timeout 200 python3 "$MEMSWEEP_SOURCE/tests/cli/report_page.py" "$1" "$2" "$work" || bad=1
}
drive small small.html

# The saved sweep is one that can be run; at the fidelity of the rows it holds nothing new.
has "$(cat saved.yaml)" "fidelity: full"
gives 0 "$memsweep" check saved.yaml
sed -i 's/^fidelity: full/fidelity: sampled/' saved.yaml
cp small.db copy.db
gives 0 "$memsweep" run saved.yaml -o copy.db
has "$out$err" "none to evaluate"
finish
