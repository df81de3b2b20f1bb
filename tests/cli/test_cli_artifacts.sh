#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is built once and shared by points: from a corpus, kept in the database, started first.
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# trains NAME LINE...: two workloads, two numbers of batches and none.
trains() {
    local name=$1
    shift
    {
        printf 'sweep: %s\nmechanism: null\nworkloads: [synth/small, synth/even]\n' "$name"
        printf 'fidelity: analytic\nvary: {train_batches: [0, 8, 32], x1: [0, 1]}\n'
        [ $# -eq 0 ] || printf '%s\n' "$@"
    } >"$name.yaml"
}

# learned SWEEP [FACTOR]: what y is raised by, times a factor, per number of batches, to six digits.
learned() {
    "$memsweep" query all.db -s "$1" -f tsv -c "train_batches, (y - x1 - 4.5) * ${2:-1} AS learned" \
        -w 'train_batches > 0' | tail -n +2 | awk '{ printf "%d %.6f\n", $1, $2 }' | sort -u
}

# A corpus is named like workloads, and decides what is learned: the mean of synth/even's weights is
# 3.75 times that of one stratum, so that what is learned is, too; weights are learned once for both
# workloads.
trains plain
trains even 'corpus: [synth/even]'
trains small 'corpus:' '  - {workload: synth/even, synth.strata: 1}'
for name in plain even small; do
    gives 0 "$memsweep" run $name.yaml -q -o all.db
done
same "$(learned plain | wc -l)" 2 "what is learned, by number of batches"
same "$(learned plain)" "$(learned small)" "no corpus and one of the same level"
same "$(learned even)" "$(learned plain 3.75)" "a corpus of another level"
# Points that learn nothing do not depend on it.
trains other 'corpus: [synth/small]'
gives 0 "$memsweep" run other.yaml -o all.db
has "$out" "12 points, 4 taken from other sweeps; 8 to evaluate"
gives 0 "$memsweep" run other.yaml -o all.db
has "$out" "none"
trains twice 'corpus: [synth/even, synth/even]'
gives 2 "$memsweep" check twice.yaml
has "$err" "workload 'synth/even' is listed twice"
trains unknown 'corpus: [{workload: synth/even, synth_strat: 1}]'
gives 2 "$memsweep" check unknown.yaml
has "$err" "unknown setting of synth 'synth_strat', did you mean 'synth_strata'?"
sed 's/null/neummu/; s/synth\/[a-z]*/alexnet/g; /vary/d' even.yaml >neummu.yaml
gives 2 "$memsweep" check neummu.yaml
has "$err" "mechanism 'neummu' builds nothing from a corpus"

# What is learned is kept in the database: built once, read by another sweep that needs it, carried
# by a merge, taken from another database by --artifacts, and built again when its bytes are wrong.
# The rows are the same every time.
kept() {
    "$memsweep" query "$1" --sql 'SELECT name, version, whole, length(bytes) AS n FROM msw_artifact' \
        -f tsv | tail -n +2 | tr '\t' ' '
}
trains kept
gives 0 "$memsweep" run kept.yaml -o first.db -t 2
has "$out" "2 kept artifacts built in"
wanted=$("$memsweep" digest first.db)
same "$(kept first.db)" "$(printf 'weights 1 1 136\nweights 1 1 136')" "what is kept"
sed 's/train_batches: \[0, 8, 32\]/train_batches: [8, 32], gain: [1, 2]/' kept.yaml >more.yaml
gives 0 "$memsweep" run more.yaml -o first.db
has "$out" "2 kept artifacts read"
lacks "$out" "built"
gives 0 "$memsweep" merge -q merged.db first.db
same "$(kept merged.db)" "$(kept first.db)" "what a merge carries"
gives 0 "$memsweep" run kept.yaml -o second.db --artifacts merged.db
has "$out" "2 kept artifacts read"
same "$("$memsweep" digest second.db)" "$wanted" "rows from artifacts that were read"
same "$(kept second.db)" "$(kept first.db)" "what another database gave"
gives 3 "$memsweep" run kept.yaml -o third.db --artifacts none.db
if command -v sqlite3 >/dev/null; then
    sqlite3 merged.db "UPDATE msw_artifact SET bytes = zeroblob(136)"
    gives 0 "$memsweep" run kept.yaml -o fourth.db --artifacts merged.db
    has "$out" "2 kept artifacts built in"
    same "$("$memsweep" digest fourth.db)" "$wanted" "rows where kept bytes were wrong"
    sqlite3 second.db "DELETE FROM points_null; DELETE FROM msw_span; DELETE FROM msw_artifact"
    gives 0 "$memsweep" run kept.yaml -o second.db
    has "$out" "2 kept artifacts built in"
    same "$("$memsweep" digest second.db)" "$wanted" "rows where what was kept is gone"
fi
# Without a database nothing is kept, and everything is built once all the same.
gives 0 "$memsweep" run kept.yaml --no-store -t 2
has "$out" "2 kept artifacts built in"
# The same bits on any number of threads, and after a run that was asked to stop while it learned:
# what was learned so far is saved, and no row is lost.
for threads in 1 3 8; do
    gives 0 "$memsweep" run kept.yaml -q -o threads$threads.db -t $threads
    same "$("$memsweep" digest threads$threads.db)" "$wanted" "rows on $threads threads"
done
trains long 'fix: {cost_batch: 10ms}'
sed -i 's/\[0, 8, 32\]/[0, 500]/' long.yaml
"$memsweep" run long.yaml -t 2 -o long.db >out 2>err </dev/null &
run=$!
caught $run
rows() {
    "$memsweep" query long.db --sql 'SELECT count(*) FROM points_null' -f tsv 2>/dev/null | tail -n 1
}
while kill -0 $run 2>/dev/null && ! [[ $(rows) == [1-9]* ]]; do sleep 0.05; done
kill -TERM $run
wait $run
same $? 1 "exit code of a run asked to stop"
has "$(cat err)" "interrupted: "
gives 0 "$memsweep" query long.db --sql 'SELECT whole FROM msw_artifact' -f tsv
same "$(echo "$out" | tail -n 1)" 0 "what an unfinished build saved"
gives 0 "$memsweep" query long.db --sql "SELECT count(*) FROM points_null WHERE status <> 'ok'" -f tsv
same "$(echo "$out" | tail -n 1)" 0 "rows of points that were not finished"
gives 0 "$memsweep" run long.yaml -t 2 -o long.db
has "$out" "1 kept artifact built in"
sed 's/{cost_batch: 10ms}/{cost_batch: 0}/' long.yaml >quick.yaml
gives 0 "$memsweep" run quick.yaml -q -o quick.db
y() {
    "$memsweep" query "$1" -f tsv -c y
}
same "$(y long.db)" "$(y quick.db)" "what was learned with and without interruption"
# What takes long to build takes no point's time.
trains slow 'fix: {cost_batch: 20ms}'
sed -i 's/\[0, 8, 32\]/[0, 8]/' slow.yaml
gives 0 "$memsweep" run slow.yaml -q -o slow.db --point-timeout 50ms -t 2
# A plan says what is built first and about how long that takes, and tries no point that needs it; a
# run can build only that; an array has a job for it, which the others depend on.
sed 's/10ms/10s/' long.yaml >hours.yaml
gives 0 "$memsweep" plan hours.yaml -n 0 --trial 0.1s
has "$out" "artifacts  1 to be kept, built before the points: about 1 h 23 min of one thread"
has "$out" "4 tried, 4 not: what they need would take longer to build"
gives 0 "$memsweep" plan plain.yaml -n 0 --trial 0
has "$out" "artifacts  2 to be kept"
gives 0 "$memsweep" run kept.yaml -o only.db --artifacts-only
has "$out" "2 kept artifacts built in"
gives 0 "$memsweep" query only.db --sql 'SELECT count(*) FROM points_null' -f tsv
same "$(echo "$out" | tail -n 1)" 0 "rows of a run for artifacts only"
gives 0 "$memsweep" run kept.yaml -o reads.db --artifacts only.db
has "$out" "2 kept artifacts read"
same "$("$memsweep" digest reads.db)" "$wanted" "rows from artifacts built alone"
gives 0 "$memsweep" submit kept.yaml --array 2 --dry-run -o parts.db
has "$out" "--output parts.artifacts.db"
has "$out" "--artifacts-only"
has "$out" "--shard \"\$SLURM_ARRAY_TASK_ID/2\" --artifacts parts.artifacts.db"
gives 0 "$memsweep" submit kept.yaml --dry-run -o parts.db
lacks "$out" "artifacts"
finish
