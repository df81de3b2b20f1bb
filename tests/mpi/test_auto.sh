#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a sweep at fidelity auto, whose rounds rank 0 decides and the others are told, give the same
# choices and rows on 1, 2 and 4 ranks, and after all of them were killed?
source "$(dirname "$0")/common.sh"
command -v sqlite3 >/dev/null || exit 77
cat >auto.yaml <<'YAML'
sweep: a
mechanism: "null"
workloads: [synth/small]
fidelity: auto
auto: {budget: 15%, batch: 24}
vary:
  x1: {from: 0.1, to: 0.9, count: 9}
  x2: {from: 0, to: 1, count: 5}
  x3: {from: 0, to: 1, count: 5}
fix: {function: zdt1, planted_error: 20%, planted_spikes: 3%, cost: 500 us}
objectives: {minimize: [f1, f2]}
YAML

# print DATABASE
print() {
    "$memsweep" digest "$1" -s a@auto
    "$memsweep" digest "$1" -s a@auto-full
    sqlite3 "$1" 'SELECT chosen, round, role, state, margin FROM msw_choice ORDER BY 1'
}

"$memsweep" run auto.yaml -o one.db -t 1 -q
print one.db >one.txt
for count in 2 4; do
    ranks "$count" run auto.yaml -o "$count.db" -t 1 -q
    print "$count.db" | cmp - one.txt || { echo "$count ranks: not the same" && exit 1; }
done
timeout -s KILL 1.2 mpirun --oversubscribe --bind-to none -n 2 "$memsweep" run auto.yaml -o killed.db -t 1 -q || true
# Ranks may outlive mpirun for a moment.
for ((i = 0; i < 20; i++)); do
    ranks 2 run auto.yaml -o killed.db -t 1 -q --take-over 2>err.txt && break
    sleep 0.3
done
print killed.db | cmp - one.txt || { echo "killed: not the same" && exit 1; }

# What is refused ends all ranks with the code of a wrong sweep.
sed -i 's/budget: 15%/budget: 1/' auto.yaml
code=0
ranks 2 run auto.yaml -o bad.db -t 1 -q 2>err || code=$?
[ $code = 2 ] && grep -q 'at least one each' err || { echo "code $code:" && cat err && exit 1; }
