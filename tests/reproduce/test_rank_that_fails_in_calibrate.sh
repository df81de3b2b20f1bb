#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 904. Does a calibration end on all ranks, with a message and exit code 3, when one of two
# runs out of memory, be it while it starts, waits for a plan, makes one, or computes points? And
# does the same command go on then?
source "$(dirname "$0")/../mpi/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
faults=$MEMSWEEP_BUILD/tests/faults
[ -x "$faults" ] || {
    echo "skipped: no $faults"
    exit 77
}
export MEMSWEEP_DATA=$PWD:$MEMSWEEP_SOURCE
toy_published ',0.6'
ask="calibrate toy --unknowns x1,x2 --waves 2 --samples 64 --errors 8 --full 8 --directed 4 --no-figures -q --threads 1"
gives 0 "$memsweep" $ask --results one -o one
ended=0
seed=0
# Rank 1 asks for memory tens of thousands of times in a whole run: one plan, a few, or many are made before.
for rate in 0.01 0.002 0.0005 0.0002 0.0001; do
    seed=$((seed + 1))
    timeout -k 5 60 mpirun --oversubscribe --bind-to none -n 2 "$faults" --program memory $rate $seed 1 \
        $ask --results x -o x >out 2>err </dev/null
    code=$?
    case $code in
    0 | 1) ;; # it went without that memory, or a point did not
    3) ended=$((ended + 1)) && has "$(cat err)" "rank 1: " && has "$(cat err)" "out of memory" ;;
    *) fail "rate $rate: exit code $code: $(head -c 400 err)" ;;
    esac
    lacks "$(cat err)" MPI_ERR
done
[ $ended -ge 3 ] || fail "only $ended trials ended"
gives 0 "$memsweep" $ask --results x -o x --retry
cmp one/toy-region.md x/toy-region.md || fail "another page after failures"
finish
