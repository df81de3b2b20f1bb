#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 424. Do few rows of the full model and many of the closed form give the indices of many
# full rows? Are rows of other designs, too few scrambles and other designs refused?
source "$(dirname "$0")/../cli/common.sh"

# sweep NAME ROWS SETTINGS
sweep() {
    printf 'sweep: cv\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\ndesign: {kind: saltelli, base_rows: %s%s}\nvary: {gain: {from: 1, to: 3}, carry: {from: 0, to: %s}}\n' \
        "$2" "$3" "${4:-1}" >"$1.yaml"
}
sweep many 512 ', scrambles: 8'
sweep few 64 ', scrambles: 8'
gives 0 "$memsweep" run many.yaml -o cv.db -q
gives 0 "$memsweep" run few.yaml -o cv.db -q --fidelity full
gives 0 "$memsweep" run many.yaml -o all.db -q --fidelity full

# cell FACTOR COLUMN: a number of the last answer
cell() {
    awk -F'\t' -v f="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["factor"] == f { print $at[c] }' out
}
gives 0 "$memsweep" sensitivity all.db -m cycles -f tsv
truth=("$(cell gain first)" "$(cell gain total)" "$(cell carry first)" "$(cell carry total)")
gives 0 "$memsweep" sensitivity cv.db --fidelity full -m cycles -f tsv
alone=$(cell gain first_hw)
gives 0 "$memsweep" sensitivity cv.db --fidelity full --control analytic -m cycles -f tsv
i=0
for f in gain carry; do
    for k in first total; do
        awk "BEGIN { d = $(cell $f $k) - ${truth[$i]}; exit !(d * d < 0.01 * 0.01) }" ||
            fail "$k of $f is $(cell $f $k), and ${truth[$i]} of all rows"
        i=$((i + 1))
    done
done
awk "BEGIN { exit !($(cell gain first_hw) < $alone / 4) }" ||
    fail "half-width $(cell gain first_hw), $alone without the control"
same "$(cell gain used)" 64 'rows used'
gives 0 "$memsweep" sensitivity cv.db --fidelity full --control analytic -m cycles
has "$out" "64 base rows of full, corrected by 512 of analytic on the same design"
has "$out" "squared errors are"
sweep tiny 32 ', scrambles: 8'
gives 0 "$memsweep" run many.yaml -o tiny.db -q
gives 0 "$memsweep" run tiny.yaml -o tiny.db -q --fidelity full
gives 0 "$memsweep" sensitivity tiny.db --fidelity full --control analytic -m cycles
has "$out" "the control does not pay: fewer than 64 base rows"

sweep other 512 ', scrambles: 8' 0.5
gives 0 "$memsweep" run other.yaml -o other.db -q
gives 0 "$memsweep" run few.yaml -o other.db -q --fidelity full
gives 2 "$memsweep" sensitivity other.db --fidelity full --control analytic -m cycles
has "$err" "their points differ"
sweep one 64 ''
gives 0 "$memsweep" run one.yaml -o one.db -q
gives 0 "$memsweep" run one.yaml -o one.db -q --fidelity full
gives 2 "$memsweep" sensitivity one.db --fidelity full --control analytic -m cycles
has "$err" "a control needs a design with 'scrambles: 8'"

# rows of a random design: the full ones are the first
design() { # NAME DESIGN
    printf 'sweep: cv\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\ndesign: %s\nvary: {gain: [1, 1.5, 2, 3, 4, 5, 6, 7], carry: [0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]}\n' "$2" >"$1.yaml"
}
design draws '{kind: random, points: 512}'
design first '{kind: random, points: 96}'
gives 0 "$memsweep" run draws.yaml -o random.db -q
gives 0 "$memsweep" run first.yaml -o random.db -q --fidelity full
gives 0 "$memsweep" sensitivity random.db --fidelity full --control analytic -m cycles
has "$out" "96 points of full, corrected by 512 of analytic on the same design"
has "$out" "squared errors are"

# cells of a grid, drawn by the seed
design all '{kind: grid}'
design some '{kind: grid, sample: 64}'
gives 0 "$memsweep" run all.yaml -o grid.db -q
gives 0 "$memsweep" run some.yaml -o grid.db -q --fidelity full
gives 0 "$memsweep" run all.yaml -o whole.db -q --fidelity full
gives 0 "$memsweep" sensitivity whole.db -m cycles -f tsv
truth=("$(cell gain first)" "$(cell gain total)" "$(cell carry first)" "$(cell carry total)")
gives 0 "$memsweep" sensitivity grid.db --fidelity full --control analytic -m cycles -f tsv
i=0
for f in gain carry; do
    for k in first total; do
        awk "BEGIN { d = $(cell $f $k) - ${truth[$i]}; exit !(d * d < 0.02 * 0.02) }" ||
            fail "grid: $k of $f is $(cell $f $k), and ${truth[$i]} of all cells"
        i=$((i + 1))
    done
done
design few '{kind: grid, sample: 20}'
gives 0 "$memsweep" run few.yaml -o few.db -q --fidelity full
gives 0 "$memsweep" run all.yaml -o few.db -q
gives 2 "$memsweep" sensitivity few.db --fidelity full --control analytic -m cycles
has "$err" "64 are needed"
gives 0 "$memsweep" run some.yaml -o part.db -q
gives 0 "$memsweep" run some.yaml -o part.db -q --fidelity full
gives 2 "$memsweep" sensitivity part.db --fidelity full --control analytic -m cycles
has "$err" "in all 96 cells of the grid"

design lhs '{kind: lhs, points: 64}'
gives 0 "$memsweep" run lhs.yaml -o lhs.db -q
gives 0 "$memsweep" run lhs.yaml -o lhs.db -q --fidelity full
gives 2 "$memsweep" sensitivity lhs.db --fidelity full --control analytic -m cycles
has "$err" "--control needs the design saltelli"
finish
