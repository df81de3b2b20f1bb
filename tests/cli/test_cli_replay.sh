#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is a sweep computed again elsewhere from its database alone, to the same digest, whatever files it was
# read from; is it said by name what is not the same; and does a database that somebody changed do no
# harm? Expected digests: those of the runs that stored the rows.
source "$(dirname "$0")/common.sh"
command -v sqlite3 >/dev/null || exit 77
top=${MEMSWEEP_SOURCE:?}
export MEMSWEEP_DATA=$top

# doctor FROM TO SQL: a copy of the database, changed.
doctor() {
    rm -f "$2"
    cp "$1" "$2"
    sqlite3 "$2" "$3"
}

# ---- a sweep with a base above it, points in a table, and a network of its own ----
mkdir -p here/sweeps here/nets elsewhere
cp "$top/workloads/npu/tiles/example.csv" here/nets/mine.csv
cat >here/base.yaml <<'Y'
mechanism: neummu
fidelity: analytic
objectives: {minimize: [slowdown]}
Y
cat >here/sweeps/study.yaml <<'Y'
extends: ../base.yaml
sweep: study
workloads: [nets/mine.csv, rnn1/b1]
design: {kind: list, file: points.csv}
Y
printf 'ptw_count,tlb_entries\n8,64\n16,128\n32,256\n' >here/sweeps/points.csv
cd here || exit 1
gives 0 "$memsweep" run sweeps/study.yaml -q
wanted=$("$memsweep" digest study | cut -d' ' -f1)
same "$(sqlite3 results/study.db "SELECT count(*) FROM msw_source WHERE role = 'file'")" 6 "inputs"
gives 0 "$memsweep" run sweeps/study.yaml -q
same "$(sqlite3 results/study.db 'SELECT count(*) FROM msw_input')" 6 "inputs after the same again"
cp results/study.db ../elsewhere/study.db
gives 0 "$memsweep" run sweeps/study.yaml -o bare.db --inputs none -q
same "$(sqlite3 bare.db "SELECT count(*) FROM sqlite_master WHERE name = 'msw_input'")" 0 "tables"
gives 2 "$memsweep" replay bare.db
has "$err" "holds no inputs of sweep 'study'"
cd ..
mv here gone
cd elsewhere || exit 1

# ---- elsewhere: nothing there but the database ----
gives 0 "$memsweep" replay study.db --only-check
has "$out" "same versions"
has "$out" "6 inputs"
[ ! -e results ] || fail "--only-check made files"
gives 0 "$memsweep" replay study.db -t 2
has "$out" "same digest: $wanted, 6 rows"
lacks "$out" "computed before"
same "$("$memsweep" digest results/study-replay.db | cut -d' ' -f1)" "$wanted" "digest of the replay"
gives 0 "$memsweep" replay study.db
has "$out" "6 of them computed before"
MEMSWEEP_DATA=. gives 0 "$memsweep" replay study.db -o bare.db -q # not even memsweep's own workloads
gives 0 "$memsweep" replay bare.db -o third.db -q
gives 2 "$memsweep" replay study.db -o ../elsewhere/study.db
has "$err" "cannot be computed again into the database"
gives 0 "$memsweep" merge all.db study.db -q
gives 0 "$memsweep" merge all.db study.db -q
gives 0 "$memsweep" replay all.db -o merged.db
has "$out" "same digest: $wanted"

# ---- one sweep of several, to pass on ----
printf 'sweep: only\nmechanism: null\nfidelity: analytic\nvary: {x1: [0, 0.5]}\n' >only.yaml
gives 0 "$memsweep" run only.yaml -o all.db -q
gives 0 "$memsweep" merge one.db all.db --sweep study
has "$out" "6 rows added"
same "$("$memsweep" digest one.db | cut -d' ' -f1)" "$wanted" "the sweep alone"
same "$(sqlite3 one.db 'SELECT count(*) FROM msw_sweep')" 1 "sweeps"
gives 0 "$memsweep" replay one.db --only-check
gives 2 "$memsweep" merge one.db all.db --sweep only
has "$err" "one.db is there already"
gives 0 "$memsweep" replay all.db -s only -o only.db
has "$out" "2 rows"

# ---- what differs is said by name, and nothing is computed ----
doctor study.db other.db "UPDATE msw_sweep SET versions = replace(versions, '\"neummu\": ', '\"neummu\": 9')"
gives 1 "$memsweep" replay other.db -o new.db
has "$err" "neummu: stored with 9"
[ ! -e new.db ] || fail "computed although versions differ"
gives 1 "$memsweep" replay other.db --only-check
gives 0 "$memsweep" replay other.db --anyway -o new.db
has "$out" "same digest"

# ---- rows that differ, by point and column ----
doctor study.db rows.db 'UPDATE points_neummu SET slowdown = 7.5 WHERE id = (SELECT max(id) FROM points_neummu)'
gives 1 "$memsweep" replay rows.db -o again.db
has "$err" "another digest"
has "$err" "of 6 rows 1 differ, 0 are missing; the first:"
has "$err" "slowdown is"
has "$err" "stored was 7.5"

# ---- inputs that are damaged, exchanged, gone, or would fill memory ----
rows=$(sqlite3 study.db "SELECT input FROM msw_source WHERE path LIKE '%points.csv'" | wc -l)
same "$rows" 1 "rows of the table of points"
points="digest = (SELECT input FROM msw_source WHERE path LIKE '%points.csv')"
doctor study.db bad.db "UPDATE msw_input SET bytes = CAST('16,129' AS BLOB), size = 6 WHERE $points"
gives 3 "$memsweep" replay bad.db -o none.db
has "$err" "points.csv is damaged"
gives 3 "$memsweep" verify bad.db
has "$out$err" "inputs of sweeps: 1 of 6 are damaged"
doctor study.db bad.db "DELETE FROM msw_input WHERE $points"
gives 3 "$memsweep" replay bad.db -o none.db
has "$err" "points.csv is not there"
doctor study.db bad.db "UPDATE msw_input SET size = 1073741824 WHERE $points"
gives 3 "$memsweep" replay bad.db -o none.db
has "$err" "cannot have"
doctor study.db bad.db "UPDATE msw_source SET role = 'run' WHERE role = 'file'"
gives 3 "$memsweep" replay bad.db -o none.db
has "$err" "has a role that memsweep does not write"
# Another sweep file under the same name: its own digest is right, the plan is another one.
printf 'extends: ../base.yaml\nsweep: study\nworkloads: [rnn1/b1]\n' >swapped.yaml
gives 0 "$memsweep" run only.yaml -o swap.db -q
doctor study.db bad.db "ATTACH 'swap.db' AS o; UPDATE msw_input SET size = (SELECT size FROM o.msw_input),
    bytes = (SELECT bytes FROM o.msw_input), digest = (SELECT digest FROM o.msw_input)
    WHERE digest = (SELECT input FROM msw_source WHERE role = 'file' AND path LIKE '%study.yaml');
    UPDATE msw_source SET input = (SELECT digest FROM o.msw_input) WHERE role = 'file' AND path LIKE '%study.yaml'"
gives 1 "$memsweep" replay bad.db -o none.db
# No file of this machine stands in for one that is not in the database.
mkdir -p sweeps nets
printf 'ptw_count,tlb_entries\n8,64\n' >sweeps/points.csv
doctor study.db bad.db "DELETE FROM msw_source WHERE path LIKE '%points.csv'"
gives 2 "$memsweep" replay bad.db -o none.db
has "$err" "points.csv"
[ ! -e none.db ] || fail "computed from bad inputs"
gives 3 "$memsweep" replay missing.db

# ---- standard input, a fidelity of the command, an auto sweep, a part of a sweep ----
sed 's/only/typed/' only.yaml | "$memsweep" run - -o typed.db -q || fail "run from standard input"
gives 0 "$memsweep" replay typed.db -o typed2.db
has "$out" "same digest"
printf 'sweep: level\nmechanism: null\nfidelity: analytic\nvary: {x1: [0, 0.5]}\n' >level.yaml
gives 0 "$memsweep" run level.yaml --fidelity full --seed 5 -o level.db -q
gives 0 "$memsweep" replay level.db -o level2.db
has "$out" "same digest: $("$memsweep" digest level.db | cut -d' ' -f1)"
printf 'sweep: picks\nmechanism: null\nfidelity: auto\nvary: {x1: {from: 0, to: 1, count: 40}}\nauto: {budget: 10}\nobjectives: {minimize: [f1, f2]}\n' >picks.yaml
gives 0 "$memsweep" run picks.yaml -o picks.db -q
gives 0 "$memsweep" replay picks.db -o picks2.db
has "$out" "same digest: $("$memsweep" digest picks.db --fidelity auto | cut -d' ' -f1)"
printf 'sweep: part\nmechanism: null\nfidelity: analytic\nvary: {x1: [0, 0.25, 0.5, 1]}\n' >part.yaml
gives 0 "$memsweep" run part.yaml --shard 0/2 -o part.db -q
gives 0 "$memsweep" replay part.db -o part2.db
has "$out" "same answers: all"
finish
