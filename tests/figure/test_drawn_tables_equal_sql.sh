#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does the table behind each figure hold what SQL of its own finds in the rows: fronts, best rows
# under limits, means, levels that are missing, thinned rows, workloads, chosen points, the third
# objective; and does the picture name a workload of which it shows nothing?
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
command -v sqlite3 >/dev/null || exit 77
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

# The front: no other row of the workload is as good in both and better in one.
not_beaten() {
    echo "SELECT point FROM $1 AS a WHERE NOT EXISTS (SELECT 1 FROM $1 AS b WHERE b.workload = a.workload AND $2)"
}
two='b.f1 <= a.f1 AND b.f2 <= a.f2 AND (b.f1 < a.f1 OR b.f2 < a.f2)'
for workloads in 'synth/even' 'synth/even, synth/small'; do
    make plain "workloads: [$workloads]
$grid"
    draw plain front
    same "$(awk -F '\t' 'NR > 1 && $2 == 1 { print $3 }' fig/plain-front.tsv | sort)" \
        "$(sql plain "$(not_beaten plain "$two") AND point IN (SELECT min(point) FROM plain GROUP BY workload, f1, f2)")" \
        "the front of $workloads"
    draw plain lines -m f2 -x x1 --rest mean
    same "$(column fig/plain-lines.tsv y | awk '{ printf "%.9g\n", $1 }' | sort -u)" \
        "$(sql plain "SELECT avg(f2) AS y FROM plain GROUP BY workload, x1" | awk '{ printf "%.9g\n", $1 }' | sort -u)" \
        "means over $workloads"
    rm plain.db
done

# Three objectives: the third is there, and rows that two of them beat may be on the front.
make three 'workloads: [synth/even]
fidelity: analytic
vary: {x1: [0.1, 0.45, 0.9], x2: [0.2, 0.5, 0.7], gain: [1, 2]}
fix: {function: dtlz2, x3: 0.5}
objectives: {minimize: [f1, f2, f3]}'
draw three front
same "$(awk -F '\t' 'NR > 1 && $2 == 1 { printf "%s %.9g\n", $3, $6 }' fig/three-front.tsv | sort)" \
    "$(sql three "SELECT point || ' ' || f3 AS v FROM three WHERE point IN ($(not_beaten three 'b.f1 <= a.f1 AND b.f2 <= a.f2 AND b.f3 <= a.f3 AND (b.f1 < a.f1 OR b.f2 < a.f2 OR b.f3 < a.f3)')) AND point IN (SELECT min(point) FROM three GROUP BY f1, f2)" | awk '{ printf "%s %.9g\n", $1, $2 }' | sort)" \
    "the third objective"

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

# Many rows are thinned, and all levels stay.
make many 'workloads: [synth/even]
fidelity: analytic
design: {kind: random, points: 20000}
vary: {x1: {from: 0, to: 1}, gain: [1, 2, 3]}
objectives: {minimize: [slowdown, x1]}'
draw many parallel
same "$(column fig/many-parallel.tsv gain | sort -u | wc -l)" 3 "levels of thinned rows"

# Chosen points: those in full alone.
make chosen 'workloads: [synth/small, synth/even]
fidelity: auto
auto: {budget: 30%, batch: 20}
vary: {gain: [1, 2, 3], carry: {from: 0, to: 1, count: 5}, x1: [0.1, 0.5]}
derive: {price: "1 / gain + (1 - carry) + x1"}
objectives: {minimize: [slowdown, price]}'
draw chosen front
same "$(awk -F '\t' 'NR > 1 && $2 == 1 { print $3 }' fig/chosen-front.tsv | sort)" \
    "$(sql chosen "WITH f AS (SELECT * FROM chosen WHERE fidelity = 'full') $(not_beaten f 'b.slowdown <= a.slowdown AND b.price <= a.price AND (b.slowdown < a.slowdown OR b.price < a.price)') AND point IN (SELECT min(point) FROM f GROUP BY workload, slowdown, price)")" \
    "the front of chosen points"

# Units and their places: an alias has no unit, a derived column has its own.
make units 'workloads: [synth/even]
fidelity: analytic
vary: {gain: [1, 2]}
derive: {edp: {expr: "cycles * cycles", unit: J s}}'
has "$("$memsweep" query units.db -c edp -n 1 | head -n 1)" "edp [J s]"
same "$("$memsweep" query units.db --sql 'SELECT max(cycles) / 1e6 AS cycles FROM units' | head -n 1 | tr -d ' ')" cycles "an alias"
has "$("$memsweep" query units.db --sql 'SELECT cycles FROM units' | head -n 1)" "cycles [cycles]"
finish
