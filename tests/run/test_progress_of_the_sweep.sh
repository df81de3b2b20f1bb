#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 081. Progress after a restart counted what was left, and not the sweep.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -o x.db
has "$err" "363 of 363 points"
sed -i 's/gain: .*/gain: [1, 2, 3, 4]/' small.yaml
gives 0 "$memsweep" run small.yaml -o x.db
has "$out" "484 points, 363 taken from other sweeps; 121 to evaluate"
has "$err" "100 % 484 of 484 points"

# An interrupted run tells what is done of the sweep, and so does the one that goes on.
sweep slow 'cost: 500ms' 'cost_kind: sleep'
sed -i '/gain/d; s/count: 11/count: 5/' slow.yaml
cut_short() {
    "$memsweep" run slow.yaml -o y.db -t 1 >out 2>err &
    local run=$!
    for ((i = 0; i < 200; i++)); do
        "$memsweep" status y.db 2>/dev/null | grep -q running && break
        sleep 0.05
    done
    sleep 0.7 # into the second point; each run finishes the one in hand
    kill -USR1 $run
    wait $run
    code=$?
    done=$(sed -n 's/.*interrupted: \([0-9]*\) of 25 done.*/\1/p' err)
}
cut_short
same $code 1 "exit code of an interrupted run"
first=${done:-0}
cut_short
same $code 1 "exit code of a run interrupted again"
[ "$first" -gt 0 ] && [ "${done:-0}" -gt "$first" ] || fail "done: $first, then ${done:-0} of 25"
finish
