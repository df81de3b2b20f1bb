#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 330. Does `sampling: {seed: N}` draw other units of the same workload, and leave every
# other fidelity alone?
source "$(dirname "$0")/../../cli/common.sh"

sweep() {
    printf 'sweep: units\nmechanism: null\nworkloads: [synth/skewed]\nfix: {gain: 2, %s}\nsampling: {target: 5%%%s}\nvary: {carry: [0, 0.1]}\n' \
        "$1" "$2" >"$3.yaml"
}
sweep 'synth.units: 5000' '' plain
sweep 'synth.units: 5000' ', seed: 0' zero
sweep 'synth.units: 5000' ', seed: 7' seven
for name in plain zero seven; do
    for fidelity in sampled full; do
        gives 0 "$memsweep" run -q $name.yaml --fidelity $fidelity -o $name-$fidelity.db
        gives 0 "$memsweep" query $name-$fidelity.db -c "carry, cycles, key" -f tsv
        cp out $name-$fidelity.tsv
    done
done
cmp -s plain-sampled.tsv zero-sampled.tsv || fail "seed 0 is not the default: $(diff plain-sampled.tsv zero-sampled.tsv)"
cmp -s plain-full.tsv seven-full.tsv || fail "the seed of the sample changes full: $(diff plain-full.tsv seven-full.tsv)"
cut -f 2 plain-sampled.tsv >a
cut -f 2 seven-sampled.tsv >b
[ "$(comm -12 <(sort a) <(sort b) | grep -vc cycles)" = 0 ] || fail "seed 7 draws the units of seed 0: $(cat a b)"
finish
