#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a figure say how many rows are beyond the limits, and name a workload of which it shows nothing?
# Does a column have the unit that is its own, and an alias none?
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
make() { # NAME, DESIGN AND MORE (lines of the sweep)
    printf 'sweep: %s\nmechanism: "null"\n%s\n' "$1" "$2" >"$1.yaml"
    gives 0 "$memsweep" run "$1.yaml" -o "$1.db" -q
}
draw() { # NAME, FIGURE, OPTION...
    local name=$1 figure=$2
    shift 2
    gives 0 "$memsweep" plot "$name.db" -F "$figure" --data -o fig "$@"
}
# column FILE NAME: values of a column of a table, sorted.
column() {
    awk -F '\t' -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1" | sort
}
sql() {
    "$memsweep" query "$1.db" --sql "$2" -f tsv | tail -n +2 | sort
}
grid='fidelity: analytic
vary: {x1: [0.1, 0.2, 0.5, 0.9], gain: [1, 2, 3], x2: [0, 0.3, 1]}
fix: {function: zdt1}
objectives: {minimize: [f1, f2]}'

# Limits that leave other designs at each level: the best of each, counted rows, empty cells.
make limited "workloads: [synth/even]
$grid
subject_to: [\"x1 + x2 <= 1.05\"]"
draw limited heat -m f2 -x x1,x2 --rest mean
same "$(column fig/limited-heat.tsv z | awk '{ printf "%.9g\n", $1 }' | sort)" \
    "$(sql limited 'SELECT avg(f2) AS z FROM limited WHERE within_limits GROUP BY x1, x2' | awk '{ printf "%.9g\n", $1 }' | sort)" "cells within limits"
has "$(cat fig/limited-heat.svg)" beyond

# A level that one workload lacks; a workload of which there is nothing.
make lacking "workloads: [synth/even, synth/small]
fidelity: analytic
vary: {x1: [0.2, 0.6, 1], x2: [0, 1], synth.units: [16, 32]}
fix: {function: zdt1, feasible_sum: 1.5}
objectives: {minimize: [f1, f2]}"
draw lacking lines -m f2 -x x1
same "$(column fig/lacking-lines.tsv y | wc -l)" \
    "$(sql lacking "SELECT workload FROM lacking WHERE f2 IS NOT NULL GROUP BY workload, x1" | wc -l)" "places with rows"
draw lacking lines -m f2 -x x1 -w "workload = 'synth/even'"
lacks "$(cat fig/lacking-lines.svg)" "nothing to draw"

# Units and their places: an alias has no unit, a derived column has its own.
make units 'workloads: [synth/even]
fidelity: analytic
vary: {gain: [1, 2]}
derive: {edp: {expr: "cycles * cycles", unit: J s}}'
has "$("$memsweep" query units.db -c edp -n 1 | head -n 1)" "edp [J s]"
same "$("$memsweep" query units.db --sql 'SELECT max(cycles) / 1e6 AS cycles FROM units' | head -n 1 | tr -d ' ')" cycles "an alias"
has "$("$memsweep" query units.db --sql 'SELECT cycles FROM units' | head -n 1)" "cycles [cycles]"
finish
