#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a job over two nodes, and an array with its merge, give the rows that one process gives?
source "$(dirname "$0")/common.sh"
sweep quick 'cost: 2ms' 'cost_kind: sleep'
gives 0 "$memsweep" run quick.yaml -q -t 16 -o one.db
wanted=$(digest one.db)

submit quick.yaml --nodes 2 --cpus-per-task 2 --time 5:00
until_state "$job" COMPLETED 60
same "$(digest quick)" "$wanted" "digest of a job over two nodes"
gives 0 "$memsweep" query quick --sql 'SELECT ranks, threads FROM msw_run' -f tsv
has "$out" "2	2"
gives 0 "$memsweep" status quick
has "$out" "$job"
has "$out" "COMPLETED"

asks quick.yaml 'sbatch: comment=mine nice=1, prologue: echo prologue ran'
submit quick.yaml --array 3 --time 5:00 -o results/parts.db --retry --point-timeout 60s
has "$out" "merged by job"
merge=$(sed -nE 's/.*merged by job ([0-9]+).*/\1/p' out)
until_state "$merge" COMPLETED 90
same "$(digest results/parts.db)" "$wanted" "digest of an array"
same "$(cat results/parts.db.*.log | grep -c '^prologue ran$')" 4 "prologues of three tasks and a merge"

gives 0 "$memsweep" submit quick.yaml --array 2 --dry-run -p long
has "$out" "#SBATCH --array=0-1"
has "$out" "#SBATCH --partition=long"
asks quick.yaml 'launcher: srun'
gives 0 "$memsweep" submit quick.yaml --dry-run
has "$out" "srun --mpi=pmix"
submit quick.yaml --time 5:00 -o results/srun.db
until_state "$job" COMPLETED 60
same "$(digest results/srun.db)" "$wanted" "digest of a job that srun started"
gives 3 "$memsweep" submit quick.yaml -p nowhere -o other.db
has "$err" "sbatch did not take"
finish
