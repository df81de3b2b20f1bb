#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 096. Infinite and constant outputs gave empty indices without a word; with regression one
# such group ended the whole command.
source "$(dirname "$0")/../cli/common.sh"

cat >grid.yaml <<'END'
sweep: grid
mechanism: null
workloads: [synth/small]
fidelity: analytic
vary: {x1: [0, 0.5, 1], x2: [0, 0.5, 1], gain: [1, 2]}
END
cat >rows.yaml <<'END'
sweep: rows
mechanism: null
workloads: [synth/small]
fidelity: analytic
design: {kind: saltelli, base_rows: 32}
vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}}
END
gives 0 "$memsweep" run -q grid.yaml
gives 0 "$memsweep" run -q rows.yaml
for method in anova pce regression; do
    gives 0 "$memsweep" sensitivity grid -m '(gain - 1)*x1' -g gain --method $method -f tsv
    same "$(grep -c '0 in all points' out)" 2 "$method: a group of zeros"
    awk -F'\t' '$1 == 2 && $2 == "x1" && $4 > 0.99 { found = 1 } END { exit !found }' out ||
        fail "$method: the other group has indices: $out"
    gives 0 "$memsweep" sensitivity grid -m 'exp(1000*x1)' --method $method
    has "$out" "infinite in 6 of 18 points"
done
gives 0 "$memsweep" sensitivity rows -m 'exp(1000*x1)'
has "$out" "reason infinite in"
gives 0 "$memsweep" surrogate grid -m '(gain - 1)*x1' -g gain -f tsv
has "$out" "0 in all points"
gives 0 "$memsweep" surrogate grid -m 'x1 + x2' -g gain -w 'gain = 1 or (x1 = 0 and x2 < 1)' --degree 1 -f tsv
has "$out" "known in 2 points only"
gives 2 "$memsweep" surrogate grid -m 'exp(1000*x1)' --at x1=0.7,x2=0.2,gain=1
has "$err" "infinite in 6 of 18 points"
gives 0 "$memsweep" sensitivity grid -m '1' --method oat --baseline x1=0,x2=0,gain=1 -f tsv
has "$out" "swing"
finish
