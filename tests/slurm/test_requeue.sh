#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a job that is warned drain, queue itself again and finish? Does a cancelled one go on when it
# is submitted again? MEMSWEEP_TIME_LIMIT=1 waits for Slurm's own warning, which takes a minute.
source "$(dirname "$0")/common.sh"
limit=${MEMSWEEP_TIME_LIMIT:-}
sweep long "cost: $([ "$limit" ] && echo 160 || echo 40)ms" 'cost_kind: sleep'
sed -i 's/count: 11/count: 13/' long.yaml
gives 0 "$memsweep" run long.yaml -q -t 64 -o one.db
wanted=$(digest one.db)

asks long.yaml "warning: 30"
submit long.yaml --nodes 2 --time 1:00
until_rows results/long.db 30 30
gives 0 "$memsweep" status long
echo "$out"
has "$out" "running"
has "$out" "RUNNING"
has "$out" "rows_per_s"
squeue
if [ ! "$limit" ]; then
    scancel --batch --signal=USR1 "$job"
fi
until_state "$job" COMPLETED 200
cat "$(log results/long.db "$job")"
has "$(cat "$(log results/long.db "$job")")" "interrupted: "
has "$(cat "$(log results/long.db "$job")")" "the job goes back to the queue"
has "$(cat "$(log results/long.db "$job")")" "start 2 of at most 20"
same "$(digest long)" "$wanted" "digest after a requeue"
sound results/long.db
gives 0 "$memsweep" query long --sql 'SELECT reason FROM msw_run' -f tsv
has "$out" "interrupted"
has "$out" "finished"

# Cancelled: nothing committed is lost, nobody resurrects it, and the next job goes on.
rm -f results/*
submit long.yaml --time 5:00
until_rows results/long.db 30 30
before=$(rows results/long.db)
scancel "$job"
until_state "$job" CANCELLED 30
[ "$(rows results/long.db)" -ge "$before" ] || fail "rows were lost"
submit long.yaml --nodes 2 --cpus-per-task 2 --time 5:00
until_state "$job" COMPLETED 60
same "$(digest long)" "$wanted" "digest after a job that was cancelled"

# The last life does not queue itself again.
rm -f results/*
asks long.yaml "lives: 1"
submit long.yaml --time 5:00
until_rows results/long.db 30 30
scancel --batch --signal=USR1 "$job"
until_state "$job" FAILED 30
has "$(cat "$(log results/long.db "$job")")" "this was start 1 of 1"
finish
