#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 090. Of more rows than can be fitted every n-th was taken, in the order of the grid: a
# factor whose number of levels divides n was then constant and got no share. x1 + 10 x5, levels k /
# (L - 1): variance (L + 1) / (12 (L - 1)), so x5 has 100 * 5/36 of 100 * 5/36 + 11/108.
source "$(dirname "$0")/../cli/common.sh"

cat >big.yaml <<'END'
sweep: big
mechanism: null
workloads: [synth/small]
fidelity: analytic
vary:
  x1: {from: 0, to: 1, count: 10}
  x2: {from: 0, to: 1, count: 10}
  x3: {from: 0, to: 1, count: 10}
  x4: {from: 0, to: 1, count: 50}
  x5: {from: 0, to: 1, count: 4}
END
gives 0 "$memsweep" run -q big.yaml
gives 0 "$memsweep" sensitivity big -m 'x1 + 10*x5' --method pce -f tsv
awk -F'\t' '$1 == "x5" { found = $2 > 0.992 && $2 < 0.994 } END { exit !found }' out ||
    fail "x5 has 0.9927 of the variance: $out"
gives 0 "$memsweep" sensitivity big -m 'x1 + 10*x5' --method pce
has "$out" "fitted to 50,000 of 200,000 points, drawn at random (seed 1)"
first=$out
gives 0 "$memsweep" sensitivity big -m 'x1 + 10*x5' --method pce
same "$out" "$first" "the same seed"
gives 0 "$memsweep" surrogate big -m 'x1 + 10*x5' --at 'x1=0,x2=0,x3=0,x4=0.01,x5=1' --degree 1 -f tsv
awk -F'\t' 'NR == 2 { exit !($6 > 9.999 && $6 < 10.001) }' out || fail "10 is predicted: $out"
finish
