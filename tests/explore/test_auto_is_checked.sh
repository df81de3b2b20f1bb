#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 852. Does `check` refuse what an audit cannot say, with the number of draws it would take,
# and every other slip in the key `auto`; and is a sweep with that key at another fidelity the sweep
# it was?
set -euo pipefail
memsweep=$MEMSWEEP_BUILD/memsweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

# sweep AUTO [OBJECTIVES] [MORE]: a file.
sweep() {
    cat >a.yaml <<YAML
sweep: a
mechanism: "null"
workloads: [synth/small]
fidelity: ${4:-auto}
${1:+auto: {$1\}}
vary: {x1: {from: 0.001, to: 1, count: 1000}, x2: {from: 0, to: 1, count: 100}}
fix: {function: zdt1}
${2:-objectives: {minimize: [f1, f2]\}}
${3:-}
YAML
}

# expect CODE PATTERN: what check gives.
expect() {
    local code=0
    "$memsweep" check a.yaml >out 2>&1 || code=$?
    if [ "$code" != "$1" ] || ! grep -qE -- "$2" out; then
        echo "wanted $1 and /$2/, got $code:" && cat a.yaml out
        bad=1
    fi
}

sweep '' && expect 0 '100,000 points of null at auto'
# None wrong of 100,000 less the 700 searched, error 4 %: all but 4 % of them have to be drawn.
sweep 'at_most: 0%' && expect 2 'audit of 300 draws cannot say that at most 0 of 99,300 .* takes 95,329 draws'
sweep 'at_most: 2%' && expect 0 good
sweep 'budget: 1' && expect 2 'at least one each is needed'
sweep 'budget: 500' && expect 0 good
sweep 'budget: 0%' && expect 2 'a share above 0'
sweep 'budget: 1.5' && expect 2 'no number of points'
sweep 'bugdet: 1%' && expect 2 "did you mean 'budget'"
sweep 'confidence: 2' && expect 2 'confidence'
sweep 'per: design' && expect 2 'allowed is workload'
sweep 'over: workload, by: wurst' && expect 2 'worst, mean, geomean and weighted'
sweep 'by: worst' && expect 2 "needs 'over: workload'"
sweep 'per: workload, over: workload' && expect 2 "either 'per: workload'"
sweep '' ' ' && expect 2 "name 'objectives'"
sweep '' 'objectives: {minimize: [f1, x2]}' && expect 2 'the same at every fidelity'
sweep '' '' 'replicates: 3' && expect 2 'every point once'
sweep '' '' 'derive: {role: "f1"}' && expect 2 "'role' is a column of every sweep at fidelity auto"
code=0
sweep '' && "$memsweep" run a.yaml --no-store 2>out || code=$?
[ $code = 2 ] && grep -q 'needs a database' out || { cat out && bad=1; }

code=0
"$memsweep" submit a.yaml --array 3 --time 30:00 --dry-run 2>out || code=$?
[ $code = 2 ] && grep -q 'one job with its rounds' out || { cat out && bad=1; }
"$memsweep" submit a.yaml --time 30:00 --dry-run >out 2>&1 || { cat out && bad=1; }

# The key says nothing about other fidelities.
sweep 'budget: 5%' '' '' full && with=$("$memsweep" check a.yaml)
sweep '' '' '' full && [ "$with" = "$("$memsweep" check a.yaml)" ] || { echo "the digest changed" && bad=1; }
sweep 'budget: 5%' && "$memsweep" plan a.yaml -n 0 --trial 0 >out && grep -q 'in full at most 5,000 of 100,000 points' out ||
    { cat out && bad=1; }
exit $bad
