#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are the weights of a trained predictor, and of one that is tuned, the same on 1 and 3 ranks, and after ranks were killed
# or asked to stop while it learned?
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# learning NAME VISITS
learning() {
    {
        printf 'sweep: learning\nmechanism: uvm_predictor\nworkloads: [uvm/nw/n=128]\ncorpus: [uvm/streamtriad/n=16Ki]\n'
        printf 'fidelity: analytic\nvary: {protocol: [p1, p3], network: [transformer, dense]}\nfix: {bypass: 2, cluster: sm, '
        printf 'feed: 16, train_batch: 32, visits: %d, classes_most: 64, tune_words: added, tune_instructions: 200000, ' "$2"
        printf 'tune_visits: 64, asked_most: 64}\n'
    } >"$1.yaml"
}
weights() {
    "$memsweep" query "$1" --sql 'SELECT hex(digest) FROM msw_artifact WHERE whole = 1 ORDER BY key' -f tsv
}

learning long 2048
gives 0 "$memsweep" run long.yaml -q -o one.db -t 2
gives 0 ranks 3 run long.yaml -q -o three.db -t 1
same "$(weights three.db)" "$(weights one.db)" "weights on 1 and on 3 ranks"
same "$(digest three.db)" "$(digest one.db)" "rows on 1 and on 3 ranks"

# Asked to stop, then a rank killed, then to the end.
begin 3 run long.yaml -o parts.db -t 1
appears parts.db
sleep 0.4
kill -USR1 "$launcher" 2>/dev/null
await_end
begin 3 run long.yaml -o parts.db -t 1
sleep 0.6
pid=$(process 1)
[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
await_end
gives 0 ranks 3 run long.yaml -q -o parts.db -t 1
same "$(weights parts.db)" "$(weights one.db)" "weights after interruptions"
same "$(digest parts.db)" "$(digest one.db)" "rows after interruptions"
finish
