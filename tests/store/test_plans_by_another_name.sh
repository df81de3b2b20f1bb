#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 740. Is a plan that a database holds under another name found there: by reproduce, and over
# samples, and is its own name told by run?
source "$(dirname "$0")/../cli/common.sh"
mkdir -p sweeps/paper/toy results/paper
plan() {
    printf 'sweep: %s\nmechanism: neummu\nworkloads: [alexnet/b1]\nfidelity: analytic\nvary: {ptw_count: [%s]}\nfix: {outstanding: 0}\n' "$1" "$2"
}
plan few '8, 16, 32' >sweeps/paper/toy/few.yaml
printf 'id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note\n' >sweeps/paper/toy/published.csv
printf 'rows,fig. 1,points,,3,stated,text,3,3,SELECT count(*) AS value FROM :few,,\n' >>sweeps/paper/toy/published.csv
plan before '8, 16, 32' >before.yaml
gives 0 "$memsweep" run before.yaml -q -o results/paper/toy.db -t 1
gives 0 "$memsweep" reproduce toy --strict -q -t 1
has "$out" "1 pass"

# The samples' database, too: what it holds is called otherwise.
gives 0 "$memsweep" reproduce toy -q -t 1 --over-unknowns 2 --confirm 1
sed -i 's/^sweep: few/sweep: renamed/' sweeps/paper/toy/few.yaml
gives 0 "$memsweep" reproduce toy -q -t 1 --over-unknowns 2 --confirm 1

# run says what its rows are called; a sweep of that name stays the one that its name means.
plan other '8, 16' >other.yaml
plan other '8, 16, 32' >same.yaml
gives 0 "$memsweep" run other.yaml -q -o results/paper/toy.db -t 1
plan before '8' >newer.yaml
gives 0 "$memsweep" run newer.yaml -q -o results/paper/toy.db -t 1
gives 0 "$memsweep" run same.yaml -o results/paper/toy.db -t 1
has "$err" "holds this plan already, as sweep 'before'"
gives 0 "$memsweep" query results/paper/toy.db -s other --sql "SELECT sum(is_current) FROM msw_sweep WHERE name = 'other'" -f tsv
same "$(printf '%s\n' "$out" | tail -1)" 1 "a sweep is the current one of its name"
finish
