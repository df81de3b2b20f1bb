#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 093. Numbers of a list, and listed levels, were fitted by their rank: 2 x1 + x2 was no
# plane, and a parameter that doubles was not taken by its logarithm. Choices stay what they are.
source "$(dirname "$0")/../cli/common.sh"

head=$'mechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n'
printf 'sweep: list\n%s' "$head" >list.yaml
cat >>list.yaml <<'END'
design: {kind: list, points: [{x1: 0, x2: 0.1}, {x1: 0.1, x2: 0.7}, {x1: 0.15, x2: 1}, {x1: 0.5, x2: 0.3},
  {x1: 0.9, x2: 0.2}, {x1: 1, x2: 0.95}, {x1: 0.3, x2: 0.9}, {x1: 0.7, x2: 0.05}]}
END
printf 'sweep: levels\n%s' "$head" >levels.yaml
cat >>levels.yaml <<'END'
vary: {x1: [0, 0.1, 0.15, 0.5, 1], x2: [0, 0.7, 0.8, 1], gain: [1, 2, 3, 10], synth.shape: all}
END
for name in list levels; do
    gives 0 "$memsweep" run -q $name.yaml
done
# line COMMAND...: r2 and q2 of degree 1 are 1, one term per number and the constant.
line() {
    gives 0 "$memsweep" surrogate "$@" --degree 1 -f tsv
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { exit !($at["q2"] > 0.999999 && $at["terms"] == 3) }' out || fail "$*: no plane: $out"
}
line list -m '2*x1 + x2'
line levels -m '2*x1 + x2'
gives 0 "$memsweep" surrogate list -m '2*x1 + x2' --at 'x1=0.2,x2=0.2' -f tsv
awk -F'\t' 'NR == 2 { exit !($3 > 0.5999999 && $3 < 0.6000001) }' out || fail "0.6 is predicted: $out"
gives 0 "$memsweep" sensitivity list -m '2*x1 + x2' --method pce --degree 1 -f tsv
awk -F'\t' '$1 == "x1" { exit !($2 > 0.5) }' out || fail "x1 leads: $out"

# A parameter that doubles: the logarithm of its value is a line.
cat >sizes.yaml <<'END'
sweep: sizes
mechanism: neummu
workloads: [alexnet/b1]
fidelity: analytic
vary: {tlb_entries: [16, 32, 256, 2048, 4096], ptw_count: [8, 16, 128, 1024]}
END
gives 0 env MEMSWEEP_DATA="$MEMSWEEP_SOURCE" "$memsweep" run -q sizes.yaml
line sizes -m 'log(tlb_entries) + 3*log(ptw_count)'
finish
