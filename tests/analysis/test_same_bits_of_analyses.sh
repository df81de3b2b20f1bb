#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 687. Do analyses print the same to the last digit on one thread and three?
source "$(dirname "$0")/../cli/common.sh"

printf 'sweep: t\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\ndesign: {kind: saltelli, base_rows: 32}\nvary: {gain: {from: 1, to: 3}, carry: {from: 0, to: 1}}\n' >t.yaml
gives 0 "$memsweep" run t.yaml -o t.db -q

# alike COMMAND...: the same output on 1 and 3 threads
alike() {
    local first threads
    for threads in 1 3; do
        OMP_NUM_THREADS=$threads gives 0 "$memsweep" "$@" -f json
        [ "$threads" = 1 ] && first=$out
        same "$out" "$first" "$threads threads: $*"
    done
}
alike sensitivity t.db -m cycles
alike sensitivity t.db -m cycles --method pce
alike surrogate t.db -m 'max(cycles, 60000)'
alike surrogate t.db -m 'max(cycles, 60000)' --at gain=2.2,carry=0.3
alike surrogate t.db -m 'max(cycles, 60000)' --at gain=2.2,carry=0.3 --model polynomial
finish
