#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 064. Ten factors of a million levels were written out before they were refused: the product
# is formed from the counts, and the factor that goes too far is named.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep() {
    printf 'sweep: big\nmechanism: null\nworkloads: [synth/small]\n%s\nvary:\n' "$2"
    for i in 1 2 3 4 5 6 7 8 9 10; do
        echo "  x$i: {from: 0, to: 1, count: $1}"
    done
}
sweep 1000000 'design: grid' >big.yaml
gives 2 "$memsweep" check big.yaml
same "$err" "big.yaml:9:7: x4: with its 1000000 values the grid has more than 10^18 combinations, \
at most 2^50 are possible; take fewer levels, or draw points with random, lhs or sobol" "message"
sed 's/count: 1000000/step: 0.00001/' big.yaml >step.yaml
gives 2 "$memsweep" check step.yaml
has "$err" "step.yaml:9:7: x4: with its 100001 values"
sweep 40 'seed: 1' >big.yaml
gives 2 "$memsweep" check big.yaml
has "$err" "more than 2^50 combinations"
# Whole numbers that meet count once, and other designs take no product.
printf 'sweep: s\nmechanism: null\nvary:\n' >whole.yaml
for name in ptw_count prmb_slots; do
    echo "  $name: {from: 1, to: 4, count: 1000000, scale: linear}" >>whole.yaml
done
sed -i 's/null/neummu/' whole.yaml
gives 0 "$memsweep" check whole.yaml
has "$out" "16 points"
sweep 1000 'design: {kind: random, points: 5}' >random.yaml
gives 0 "$memsweep" check random.yaml
finish
