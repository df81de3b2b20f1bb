#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a search, whose rounds rank 0 proposes and the others are told, give the same rows on 1 and 3
# ranks, and after all of them were killed?
source "$(dirname "$0")/common.sh"
cat >s.yaml <<'YAML'
sweep: s
mechanism: "null"
workloads: [synth/small, synth/even]
design: {kind: search, evaluations: 150}
vary:
  x1: {from: 0.1, to: 0.9}
  x2: {from: 0, to: 1, count: 9}
  x3: {from: 0, to: 1, count: 9}
fix: {function: zdt1, cost: 500 us}
objectives: {minimize: [f1, f2]}
YAML

"$memsweep" run s.yaml -o one.db -t 1 -q
ranks 3 run s.yaml -o three.db -t 1 -q
[ "$("$memsweep" digest one.db)" = "$("$memsweep" digest three.db)" ] || { echo "3 ranks: not the same" && exit 1; }
timeout -s KILL 1 mpirun --oversubscribe --bind-to none -n 2 "$memsweep" run s.yaml -o killed.db -t 1 -q || true
# Ranks may outlive mpirun for a moment.
for ((i = 0; i < 20; i++)); do
    ranks 2 run s.yaml -o killed.db -t 1 -q --take-over 2>err.txt && break
    sleep 0.3
done
[ "$("$memsweep" digest one.db)" = "$("$memsweep" digest killed.db)" ] || { echo "killed: not the same" && exit 1; }
