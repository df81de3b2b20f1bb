#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does every call of the system that fails, and every power failure, leave a sound file, one clear
# message and the right exit code, and does the next run make everything good? Each file call with one
# fault, 400 allocations spread over the call stacks, every moment of a power failure; under
# MEMSWEEP_FULL every call with every fault, and every allocation. The counts stay in the build folder
# (faults.tsv); 0 defects are allowed.
faults=${MEMSWEEP_BUILD:?}/tests/faults
[ -x "$faults" ] || {
    echo "skipped: no $faults"
    exit 77
}
unset MEMSWEEP_RESULTS MEMSWEEP_DATA OMP_NUM_THREADS
# Files in memory: nothing is synchronised, and thousands of trials write.
[ -n "${TMPDIR:-}" ] || ! [ -w /dev/shm ] || export TMPDIR=/dev/shm
"$faults" ${MEMSWEEP_FULL:+--full} --tsv "$MEMSWEEP_BUILD/faults.tsv"
