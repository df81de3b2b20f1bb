#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 825. A rank that ran out of memory between two exchanges left the others waiting in the
# next one, and MPI ended the run with a message and an exit code of its own. It says what is wrong
# and ends all.
source "$(dirname "$0")/../mpi/common.sh"
faults=$MEMSWEEP_BUILD/tests/faults
[ -x "$faults" ] || {
    echo "skipped: no $faults"
    exit 77
}
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
sweep small 'x3: 0'
ended=0
for seed in 1 2 3 4; do
    # Most allocations of rank 1 before the work begins are those of the plan: a few hundred.
    gives 3 timeout 60 mpirun --oversubscribe --bind-to none -n 2 "$faults" --program memory 0.01 $seed 1 \
        run small.yaml -q -t 1 -o x.db
    has "$err" "out of memory"
    lacks "$err" MPI_ERR
    ended=$((ended + 1))
done
same $ended 4 "runs that ended"
finish
