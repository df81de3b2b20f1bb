#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a run go on where it stopped, however it stopped, and say how it ended?
source "$(dirname "$0")/common.sh"

# Nothing to do the second time; what is new the third.
sweep quick 'x3: 0'
gives 0 "$memsweep" run quick.yaml -t 1
digest=$("$memsweep" digest quick)
gives 0 "$memsweep" run quick.yaml
has "$out" "363 answered before; none to evaluate"
same "$("$memsweep" digest quick)" "$digest" "digest after running again"
sed -i 's/gain: \[1, 2, 3\]/gain: [1, 2, 3, 4]/' quick.yaml
gives 0 "$memsweep" run quick.yaml
has "$out" "121 to evaluate"
gives 0 "$memsweep" run quick.yaml -o other.db -t 2 --shuffle
same "$("$memsweep" digest other.db)" "$("$memsweep" digest quick)" "digest of a shuffled run"
gives 0 "$memsweep" status
has "$out" "complete"
gives 0 "$memsweep" run quick.yaml --no-store
lacks "$out" "results:"

# The results folder.
MEMSWEEP_RESULTS=$work/elsewhere/deep gives 0 "$memsweep" run quick.yaml -q
[ -s "$work/elsewhere/deep/quick.db" ] || fail "MEMSWEEP_RESULTS is not used"

# Failing points: exit code 1, the first ones named, tried again when asked.
sweep failing 'fail_share: 0.1'
gives 1 "$memsweep" run failing.yaml
has "$err" "failed"
has "$err" "gain="
gives 1 "$memsweep" run failing.yaml
has "$out" "--retry tries them again"
gives 1 "$memsweep" run failing.yaml --retry
has "$out" "tried again"

# A time limit per point leaves points unanswered.
sweep slow 'cost: 1s' 'cost_kind: sleep'
sed -i 's/count: 11/count: 2/; s/gain: .*/gain: [1]/' slow.yaml
gives 1 "$memsweep" run slow.yaml --point-timeout 20ms -t 4
has "$err" "timed out"

# interrupt SIGNAL: runs a long sweep in the background and sends it a signal once it catches them.
sweep long 'cost: 30ms' 'cost_kind: sleep'
interrupt() {
    "$memsweep" run long.yaml -t 2 >out 2>err &
    local pid=$!
    caught $pid
    sleep 0.3
    kill -"$1" $pid
    wait $pid
}
for signal in INT TERM USR1; do
    interrupt $signal
    code=$?
    [ $code -eq 1 ] || fail "SIG$signal: exit code $code"
    has "$(cat err)" "interrupted: "
    has "$(cat err)" "run the same command to go on"
    rows=$("$memsweep" query long --sql 'SELECT count(*) AS n FROM long' -f tsv | tail -n 1)
    [ "$rows" -gt 0 ] || fail "SIG$signal: nothing was stored"
done
gives 0 "$memsweep" query long --sql 'SELECT DISTINCT reason FROM msw_run' -f tsv
has "$out" "interrupted"
interrupt KILL
gives 0 "$memsweep" run long.yaml -t 8
gives 0 "$memsweep" run long.yaml -o whole.db --shuffle -t 16
same "$("$memsweep" digest long)" "$("$memsweep" digest whole.db)" "digest after interruptions"

# Asked twice: at once, and the file stays good.
sweep stuck 'cost: 30s' 'cost_kind: sleep'
"$memsweep" run stuck.yaml -t 2 >out 2>err &
pid=$!
caught $pid
kill -INT $pid
for ((i = 0; i < 400; i++)); do
    grep -q stopping err && break
    sleep 0.05
done
kill -INT $pid
wait $pid
code=$?
[ $code -eq 130 ] || fail "second Ctrl-C: exit code $code"
gives 0 "$memsweep" status stuck
finish
