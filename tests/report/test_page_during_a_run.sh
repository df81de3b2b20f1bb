#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 841. Is a page written again while a run goes on, always whole, until every point has a
# row; does Ctrl-C leave one that no longer loads itself again; and does a browser keep what is
# selected?
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
cat >slow.yaml <<'END'
sweep: slow
mechanism: null
workloads: [synth/small]
fidelity: analytic
vary: {x1: {from: 0, to: 1, count: 40}, x2: {from: 0, to: 1, count: 25}}
fix: {function: zdt1}
objectives: {minimize: [f1, f2]}
END
gives 0 "$memsweep" run slow.yaml -o slow.db -q --shard 0/2
"$memsweep" report slow.db --no-figures >/dev/null 2>err || {
    grep -q node-d3 err && exit 77
    fail "$(cat err)"
}

# Ctrl-C: the page stays, and is the last.
"$memsweep" report slow.db --no-figures -o stopped.html --watch 1 >watch.out 2>&1 &
watcher=$!
appears stopped.html
appears watch.out
has "$(grep -o '"watch": [0-9]*' stopped.html)" '"watch": 1'
kill -TERM $watcher
wait $watcher || fail "ended with $?"
has "$(grep -o '"watch": [0-9]*' stopped.html)" '"watch": 0'
same "$(cat watch.out)" stopped.html "what it printed"

# The rest of the points comes while somebody looks.
"$memsweep" report slow.db --no-figures --watch 1 >watch.out 2>&1 &
watcher=$!
appears watch.out
browser=
if command -v python3 >/dev/null && command -v chromium >/dev/null; then
    timeout 150 python3 "$MEMSWEEP_SOURCE/tests/cli/report_page.py" watch slow.html "$work" &
    browser=$!
    for ((i = 0; i < 1200; i++)); do
        [ ! -e looked ] || break
        sleep 0.05
    done
fi
gives 0 "$memsweep" run slow.yaml -o slow.db -q
wait $watcher || fail "ended with $?"
has "$(grep -o '"watch": [0-9]*' slow.html)" '"watch": 0'
has "$(grep -o '"shown": [0-9]*' slow.html)" 1000
[ -z "$browser" ] || wait $browser || fail "in the browser"

gives 2 "$memsweep" report slow.db --watch -1
gives 3 "$memsweep" report nowhere.db --watch 1
finish
