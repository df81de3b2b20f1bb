#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 094. Between the levels of a complete grid a polynomial that meets all of them predicted
# with an interval of width 0. Now the row is the answer at a level, and between levels whole levels
# are left out, which takes four.
source "$(dirname "$0")/../cli/common.sh"

cat >grid.yaml <<'END'
sweep: grid
mechanism: null
workloads: [synth/small]
fidelity: analytic
vary: {x1: [0, 0.2, 0.4, 0.6, 0.8, 1], x2: [0, 0.25, 0.5, 0.75, 1], x3: [0, 0.5, 1]}
END
gives 0 "$memsweep" run -q grid.yaml
kink='max(x1 - 0.55, 0) + x2 + x3'
# predicts POINT: leaves value, low, high and source.
predicts() {
    gives 0 "$memsweep" surrogate grid -m "$kink" --at "$1" -f tsv
    read -r value low high source <<<"$(awk -F'\t' 'NR == 2 { print $4, $5, $6, $7 }' out)"
}
predicts x1=0.8,x2=0.25,x3=1
same "$value $low $high $source" "1.5 1.5 1.5 row" "a row of the grid"
gives 0 "$memsweep" surrogate grid -m "$kink" --at x1=0.8,x2=0.25,x3=1
has "$out" "its row is the answer"
predicts x1=0.5,x2=0.25,x3=1
same "$source" "levels left out" "where the interval comes from"
awk -v l="$low" -v h="$high" 'BEGIN { exit !(h - l > 0.02 && l < 1.25 && 1.25 < h) }' ||
    fail "the kink lies between two levels: $value in $low .. $high"
predicts x1=0.5,x2=0.3,x3=1
awk -v l="$low" -v h="$high" 'BEGIN { exit !(h - l > 0.02 && l < 1.3 && 1.3 < h) }' ||
    fail "between levels of two factors: $value in $low .. $high"
gives 2 "$memsweep" surrogate grid -m "$kink" --at x1=0.2,x2=0.25,x3=0.7
has "$err" "'x3' has 3 levels"
has "$err" "4 or more"
finish
