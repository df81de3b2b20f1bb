#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do ranks that cannot work together say so and stop?
source "$(dirname "$0")/common.sh"
sweep quick 'x3: 0'
gives 2 ranks 2 run nothing.yaml
has "$err" "nothing.yaml: No such file"
gives 3 mpirun --oversubscribe -n 1 "$memsweep" run quick.yaml --seed 1 : \
    -n 1 "$memsweep" run quick.yaml --seed 2
has "$err" "the ranks disagree about the plan: rank 0 has "
gives 3 ranks 2 run quick.yaml -o quick.yaml/quick.db
lacks "$err" "rank 1"

# Copies that do not see one another, as srun without a plugin starts them.
SLURM_STEP_NUM_TASKS=4 gives 2 "$memsweep" run quick.yaml
has "$err" "mpirun -n 4 memsweep"

# More threads than CPUs.
gives 0 mpirun --oversubscribe --bind-to core -n 2 "$memsweep" run quick.yaml -t 3
has "$err" "3 threads share 1 CPU"
[ -s results/quick.db ] || fail "nothing was stored"
finish
