#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do NPUs that share TLBs, walkers, a cache and banks give the same rows on one thread and on three,
# on two ranks, and after a rank and a process were killed? Every kind of walk, stores that are
# waited for, frames by first touch; both fidelities, shuffled.
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

chip() {
    cat >"$1.yaml" <<YAML
sweep: chip-$1
mechanism: camdn
workloads: [mix/small]
fidelity: $2
fix: {tenants: 3, tasks: $3, first_tasks: 1, memory_model: banks, stores: waited, frames: first_touch, tlb_entries: 16}
vary:
  translation: [private, shared_walkers, shared]
  walk_memory: [fixed, memory, cache]
  slots_full: [walk, block]
YAML
}
for fidelity in full analytic; do
    chip $fidelity $fidelity 1
    gives 0 "$memsweep" run $fidelity.yaml -q -o one.db -t 1
    gives 0 "$memsweep" run $fidelity.yaml -q -o three.db -t 3 --shuffle
    same "$(digest three.db)" "$(digest one.db)" "$fidelity: rows on three threads"
done
gives 0 ranks 2 run full.yaml -q -o ranks.db -t 1
gives 0 "$memsweep" run full.yaml -q -o one.db -t 1
same "$(digest ranks.db)" "$("$memsweep" digest one.db --sweep chip-full)" "rows on two ranks"

# A rank killed while it runs, then a process, then to the end.
chip slow full 4
begin 2 run slow.yaml -o parts.db -t 1
appears parts.db
sleep 0.3
pid=$(process 1)
[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
await_end
"$memsweep" run slow.yaml -q -o parts.db -t 1 >out 2>err &
process=$!
sleep 0.2
kill -KILL $process 2>/dev/null
wait $process 2>/dev/null
gives 0 "$memsweep" run slow.yaml -q -o parts.db -t 1
gives 0 "$memsweep" run slow.yaml -q -o whole.db -t 2
same "$(digest parts.db)" "$(digest whole.db)" "rows after two kills"
gives 0 "$memsweep" query whole.db --sql "SELECT count(DISTINCT cycles) > 12 AS n FROM \"chip-slow\"" -f tsv
same "$(echo "$out" | tail -n 1)" 1 "points that differ"
finish
