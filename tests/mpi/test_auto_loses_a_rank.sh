#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A sweep at fidelity auto on three ranks of which one is killed, in the closed form's part and while
# chosen points run in full: do the others end, and does the next run choose as if nothing had been?
# (With MEMSWEEP_FULL=1 30 kills, each rank in turn.) Once they had not ended after a minute.
source "$(dirname "$0")/common.sh"
cat >auto.yaml <<'YAML'
sweep: a
mechanism: "null"
workloads: [synth/small]
fidelity: auto
auto: {budget: 30%, batch: 24}
vary:
  x1: {from: 0.1, to: 0.9, count: 9}
  x2: {from: 0, to: 1, count: 5}
  x3: {from: 0, to: 1, count: 3}
fix: {function: zdt1, planted_error: 20%, cost: 8 ms, cost_kind: sleep}
objectives: {minimize: [f1, f2]}
YAML
gives 0 "$memsweep" run auto.yaml -o one.db -t 16 -q
wanted=$("$memsweep" digest one.db -s a@auto)

# lose RANK ROWS: kills a rank once so many rows are committed; all others end within a minute.
lose() {
    local pid i
    rm -f lost.db*
    begin 3 run auto.yaml -o lost.db -t 1 -q
    while kill -0 $shell 2>/dev/null && [ "$(rows lost.db)" -lt "$2" ]; do sleep 0.05; done
    pid=$(process "$1")
    [ -n "$pid" ] && kill -KILL "$pid"
    for ((i = 0; i < 600; i++)); do
        pgrep -P "$launcher" -r R,S,D >/dev/null || break
        sleep 0.1
    done
    [ $i -lt 600 ] || fail "rank $1 killed after $2 rows: the others live on after 60 s"
    await_end
    gives 0 ranks 3 run auto.yaml -o lost.db -t 8 -q --take-over
    same "$("$memsweep" digest lost.db -s a@auto)" "$wanted" "digest after rank $1 was killed at $2 rows"
}
kills=${MEMSWEEP_FULL:+30}
for ((kill = 0; kill < ${kills:-2}; kill++)); do
    lose $(((kill + 1) % 3)) $((kill % 2 ? 140 : 1))
done
finish
