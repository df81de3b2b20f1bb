#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect: the figure of `sensitivity --over workload` said "mean over workloads" and held the worst.
# Does its title say how workloads were taken together?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >two.yaml <<'END'
sweep: two
mechanism: "null"
workloads: [synth/even, synth/skewed]
fidelity: analytic
vary: {x1: [0, 0.5, 1], gain: [1, 2, 4]}
END
gives 0 "$memsweep" run two.yaml -o two.db -q
for by in worst geomean mean 'weighted(synth/even=2, synth/skewed=1)' ''; do
    gives 0 "$memsweep" sensitivity two.db -m cycles ${by:+--over workload --by "$by"} --save
    gives 0 "$memsweep" plot two.db -F sensitivity -f svg -o .
    said=$(said two-sensitivity.svg | tr '\n' ' ' | tr -s ' ')
    by=${by:-mean}
    has "$said" "of cycles, ${by%%(*} over workloads"
done
finish
