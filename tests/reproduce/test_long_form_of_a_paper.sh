#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 652. Does --long reproduce what lies in <paper>-long of the paper's folder, on a page of
# its own, and say so where there is none?
source "$(dirname "$0")/../cli/common.sh"
mkdir -p sweeps/paper/toy/toy-long
sweep() {
    printf 'sweep: %s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\nvary: {gain: [%s]}\n' "$1" "$2"
}
claim() {
    printf 'id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note\n'
    printf 'rows,fig. 1,points,,%s,stated,text,%s,%s,SELECT count(*) AS value FROM :few,,\n' "$1" "$1" "$1"
}
sweep few 1 >sweeps/paper/toy/few.yaml
claim 1 >sweeps/paper/toy/published.csv
sweep few '1, 2, 4' >sweeps/paper/toy/toy-long/few.yaml
claim 3 >sweeps/paper/toy/toy-long/published.csv
gives 0 "$memsweep" reproduce toy --strict -q
gives 0 "$memsweep" reproduce toy --long --strict -q
has "$out" "toy-long: hollow: 1 pass"
has "$(ls results/paper)" "toy-long.md"
rm -r sweeps/paper/toy/toy-long
gives 2 "$memsweep" reproduce toy --long
has "$err" "'toy' has no long form: no "
finish
