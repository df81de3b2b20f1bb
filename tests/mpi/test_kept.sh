#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is what is kept built once for all ranks, with the same bits, and does a build that is killed or
# asked to stop go on from what it saved?
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
# trains NAME BATCHES BATCH_TIME
trains() {
    {
        printf 'sweep: %s\nmechanism: null\nworkloads: [synth/small, synth/even]\n' "$1"
        printf 'corpus: [synth/even]\nvary: {train_batches: [%s], x1: {from: 0, to: 1, count: 8}}\n' "$2"
        printf 'fix: {cost_batch: %s, cost: 2ms, cost_kind: sleep}\n' "$3"
    } >"$1.yaml"
}
# kept FILE WHOLE: how many records.
kept() {
    "$memsweep" query "$1" --sql "SELECT count(*) AS n FROM msw_artifact WHERE whole = $2" -f tsv \
        2>/dev/null | tail -n 1 | grep -E '^[0-9]+$' || echo 0
}

trains built '0, 8, 16, 32, 64' 1ms
gives 0 "$memsweep" run built.yaml -q -o one.db -t 2
gives 0 ranks 3 run built.yaml -o three.db -t 2
has "$out" "4 kept artifacts built in"
same "$("$memsweep" digest three.db)" "$("$memsweep" digest one.db)" "rows of 1 and of 3 ranks"
same "$(kept three.db 1)" 4 "records"
gives 0 ranks 3 run built.yaml -o read.db -t 1 --artifacts three.db
has "$out" "4 kept artifacts read"
same "$("$memsweep" digest read.db)" "$("$memsweep" digest one.db)" "rows from what was read"

# Asked to stop while it builds: what was learned is saved, and the next run goes on from it.
trains long '0, 400' 10ms
begin 3 run long.yaml -o long.db -t 1
appears long.db
while kill -0 $shell 2>/dev/null && [ "$(rows long.db)" -lt 1 ]; do sleep 0.05; done
sleep 1
kill -USR1 "$launcher"
await_end
has "$(cat err)" "interrupted: "
same "$(kept long.db 0)" 1 "what an unfinished build saved"
# A rank is killed while one of them builds: the rest ends, and the next run goes on.
begin 3 run long.yaml -o long.db -t 1
sleep 0.7
pid=$(process 2)
[ -z "$pid" ] || kill -KILL "$pid"
await_end
gives 0 ranks 3 run long.yaml -q -o long.db -t 1
trains whole '0, 400' 0
sed -i 's/sweep: whole/sweep: long/' whole.yaml
gives 0 "$memsweep" run whole.yaml -q -o whole.db
learned() {
    "$memsweep" query "$1" -f tsv -c y | sha256sum
}
same "$(learned long.db)" "$(learned whole.db)" "what was learned with and without interruption"
finish
