#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1263. Where no design keeps the limits of its sweep, do plan, run and pareto say which limit
# binds on which workload, and what comes nearest? They said how many rows were left out.
source "$(dirname "$0")/../cli/common.sh"

# f1 = x1, f2 >= 1 - sqrt(x1) (zdt1 with its other inputs at 0).
limits() { # LIMITS
    printf 'sweep: near\nmechanism: "null"\nworkloads: [synth/even, synth/small]\nfidelity: analytic\nfix: {function: zdt1, x2: 0, x3: 0, x4: 0, x5: 0, x6: 0, x7: 0, x8: 0, x9: 0, x10: 0}\nvary: {x1: {values: [0, 0.25, 0.5, 0.75, 1]}}\nsubject_to: %s\nobjectives: {minimize: [f1, f2]}\n' "$1" >near.yaml
    rm -f near.db
}
says() { # WANTED
    gives 0 "$memsweep" plan near.yaml
    has "$out" "limits: $1"
    gives 0 "$memsweep" run near.yaml -o near.db
    has "$out" "limits: $1"
    gives 0 "$memsweep" pareto near.db
    has "$out" "limits: $1"
}
limits '["f1 <= 0.2", "f2 <= 0.4"]'
says '0 of 5 designs keep them on all workloads; f1 <= 0.2 binds on synth/even, where 1 of 5 keep it; nearest: x1 = 0.25: f1 = 0.25 on synth/even against 0.2'
limits '"f2 < 0.5 AND (f1 < 0.3 OR f1 > 0.9)"'
says "1 of 5 designs keep them on all workloads; f2 < 0.5 binds on synth/even, where 3 of 5 keep it"
has "$out" 'nearest of the others: x1 = '
limits '"f1 BETWEEN 2 AND 3"'
says '0 of 5 designs keep them'
limits '["f1 >= 0.25", "f2 <= 1"]'
gives 0 "$memsweep" run near.yaml -o near.db
lacks "$out" 'limits:'
finish
