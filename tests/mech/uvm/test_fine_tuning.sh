#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 650. Does a predictor of the corpus go on learning beside a program: as often as said, from
# what is over alone, words added or not, with the same bits on any number of threads and after
# interruptions, and does replay use it?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# tuning NAME SETTINGS LINE...: a corpus of one small program, asked about another.
tuning() {
    local name=$1 settings=$2
    shift 2
    {
        printf 'sweep: %s\nmechanism: uvm_predictor\nworkloads: [uvm/streamtriad/n=64Ki]\ncorpus: [uvm/nw/n=128]\n' "$name"
        printf 'fidelity: analytic\nfix: {protocol: p3, train_share: 0.5, bypass: 2, cluster: sm, feed: 8, train_batch: 32, '
        printf 'visits: 256, learning_rate: 0.02, classes_most: 64, %s}\n' "$settings"
        printf '%s\n' "$@"
    } >"$name.yaml"
}
column() {
    "$memsweep" query "$1" -f tsv -c "$2" | tail -n +2
}

tuning words 'tune_visits: 192, asked_most: 64' 'vary: {tune_words: [kept, added], tune_instructions: [0, 409600]}'
gives 0 "$memsweep" run words.yaml -q -o words.db -t 1
wanted=$("$memsweep" digest words.db)
same "$(column words.db 'tunings > 1 AND tunings < 8' | tr '\n' ' ')" "0 0 1 1 " "fine-tunings: none, or one for each 400 Ki instructions"
same "$(column words.db 'known_share > 0.5' | tr '\n' ' ')" "0 0 0 1 " "words that were added are known"
same "$(column words.db 'top1 > 0.3' | tr '\n' ' ')" "0 0 0 1 " "and are answered"
for threads in 3; do
    gives 0 "$memsweep" run words.yaml -q -o threads.db -t $threads
    same "$("$memsweep" digest threads.db)" "$wanted" "rows on $threads threads"
    rm threads.db
done
if command -v sqlite3 >/dev/null; then
    sqlite3 words.db "DELETE FROM points_uvm_predictor; DELETE FROM msw_span"
    gives 0 "$memsweep" run words.yaml -q -o words.db
    same "$("$memsweep" digest words.db)" "$wanted" "rows of weights that were kept"
    sqlite3 words.db "DELETE FROM points_uvm_predictor; DELETE FROM msw_span; DELETE FROM msw_artifact WHERE name = 'tuned_network'"
    gives 0 "$memsweep" run words.yaml -q -o words.db
    same "$("$memsweep" digest words.db)" "$wanted" "rows where the tuned weights were gone"
fi

# Stopped between and in fine-tunings, and taken up again.
tuning long 'tune_words: added, tune_instructions: 409600, tune_visits: 4096, asked_most: 64'
gives 0 "$memsweep" run long.yaml -q -o whole.db -t 2
for wait in 0.1 0.4; do
    "$memsweep" run long.yaml -t 2 -o parts.db >out 2>err </dev/null &
    run=$!
    # What the first one left may be done before anybody looks at the second.
    if [ $wait = 0.1 ]; then caught $run; else catches $run; fi
    sleep $wait
    kill -TERM $run 2>/dev/null
    wait $run
done
gives 0 "$memsweep" run long.yaml -q -t 3 -o parts.db
same "$(column parts.db 'hits, hits10, f1_sum, known, tunings')" "$(column whole.db 'hits, hits10, f1_sum, known, tunings')" "answers after interruptions"

# Replay shares it among policies.
{
    printf 'sweep: replay\nmechanism: uvm\nworkloads: [uvm/streamtriad/n=64Ki]\ncorpus: [uvm/nw/n=128]\nfidelity: full\n'
    printf 'vary: {fault_charge: [excluded, batched]}\n'
    printf 'fix: {prefetcher: learned, protocol: p3, train_share: 0.5, bypass: 2, cluster: sm, feed: 8, train_batch: 32,\n'
    printf '  visits: 256, learning_rate: 0.02, classes_most: 64, tune_words: added, tune_instructions: 409600, tune_visits: 64}\n'
} >replay.yaml
gives 0 "$memsweep" run replay.yaml -o replay.db -t 2
has "$out" "2 kept artifacts built in"
finish
