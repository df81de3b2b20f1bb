#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 480. Does a predictor of pages learn the same on any number of threads, after a run that
# was asked to stop while it learned, from a corpus, and when what was kept is gone or wrong?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# learning NAME SETTINGS LINE...: five networks of one small program.
learning() {
    local name=$1 settings=$2
    shift 2
    {
        printf 'sweep: %s\nmechanism: uvm_predictor\nworkloads: [uvm/nw/n=128]\n' "$name"
        printf 'fidelity: analytic\nfix: {bypass: 2, cluster: sm, feed: 32, hidden: 8, train_batch: 32, %s}\n' "$settings"
        printf '%s\n' "$@"
    } >"$name.yaml"
}
answers() {
    "$memsweep" query "$1" -f tsv -c "hits, hits10, f1_sum, dots, largest_tenth"
}

learning all 'visits: 64' 'vary: {network: [transformer, dense, mlp, lstm, cnn]}'
gives 0 "$memsweep" run all.yaml -q -o one.db -t 1
wanted=$("$memsweep" digest one.db)
for threads in 2 3 8; do
    gives 0 "$memsweep" run all.yaml -q -o threads.db -t $threads
    same "$("$memsweep" digest threads.db)" "$wanted" "rows on $threads threads"
    rm threads.db
done
gives 0 "$memsweep" run all.yaml -o read.db --artifacts one.db
has "$out" "5 kept artifacts read"
same "$("$memsweep" digest read.db)" "$wanted" "rows of weights that were kept"
if command -v sqlite3 >/dev/null; then
    sqlite3 one.db "DELETE FROM points_uvm_predictor; DELETE FROM msw_span; DELETE FROM msw_artifact"
    gives 0 "$memsweep" run all.yaml -o one.db
    has "$out" "5 kept artifacts built in"
    same "$("$memsweep" digest one.db)" "$wanted" "rows where the weights were gone"
    sqlite3 read.db "UPDATE msw_artifact SET bytes = zeroblob(length(bytes))"
    gives 0 "$memsweep" run all.yaml -q -o again.db --artifacts read.db
    same "$("$memsweep" digest again.db)" "$wanted" "rows where the weights were wrong"
fi

# Stopped while it learns, and taken up again. What it is asked does not matter here.
learning long 'visits: 3072, asked_most: 64'
gives 0 "$memsweep" run long.yaml -q -o whole.db -t 2
"$memsweep" run long.yaml -t 2 -o parts.db >out 2>err </dev/null &
run=$!
caught $run
sleep 0.3
kill -TERM $run 2>/dev/null
wait $run
gives 0 "$memsweep" run long.yaml -q -t 3 -o parts.db
same "$(answers parts.db)" "$(answers whole.db)" "answers after an interruption"

# A corpus of the program itself, of which it knows nearly all; without one it knows nothing.
learning corpus 'visits: 512, protocol: p3' 'corpus: [uvm/nw/n=128]'
learning nothing 'visits: 512, protocol: p3'
gives 0 "$memsweep" run corpus.yaml -q -o corpus.db
gives 0 "$memsweep" run nothing.yaml -q -o nothing.db
gives 0 "$memsweep" query corpus.db -f tsv -c "known_share > 0.5 AND top1 > 0.3 AS good"
same "$(echo "$out" | tail -n 1)" 1 "with a corpus"
gives 0 "$memsweep" query nothing.db -f tsv -c "hits + known AS none"
same "$(echo "$out" | tail -n 1)" 0 "without a corpus"
finish
