#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A closed form that is about 100 times too high: does each command say that nobody knows its errors,
# and do the rows tell it once both models have answered?
source "$(dirname "$0")/../cli/common.sh"

cat >high.yaml <<END
sweep: high
mechanism: null
workloads: [synth/small]
fidelity: analytic
fix: {function: zdt1, x2: 0.5, planted_spikes: 1, planted_depth: 4.6}
vary:
  x1: {from: 0.1, to: 0.9, count: 24}
objectives: {minimize: [f1, f2]}
END
words='errors unknown here: 24 of 24 rows (no table of errors)'
gives 0 "$memsweep" run high.yaml -o high.db
has "$out" "$words"
for command in pareto query status; do
    gives 0 "$memsweep" $command high.db
    has "$out" "$words"
done
gives 0 "$memsweep" report high.db --no-figures -o page.html
has "$(cat page.html)" '24 of 24 rows (no table of errors)'
gives 0 "$memsweep" eval null -w synth/small function=zdt1 planted_spikes=1 planted_depth=4.6 --fidelity analytic
has "$out" 'errors unknown here (no table of errors)'

gives 0 "$memsweep" run high.yaml -q -o high.db --fidelity full
gives 0 "$memsweep" agree high.db -m f2
has "$out" '98.4843' # e^4.6 - 1
gives 0 "$memsweep" agree high.db --intervals -m f2,cycles
for command in pareto query; do
    gives 0 "$memsweep" $command high.db -s high@analytic
    lacks "$out" 'errors unknown'
done
same "$("$memsweep" query high.db -s high@analytic -c point -w "f2_high * 99 < f2 AND errors_from = 'own points'" -f tsv | tail -n +2 | wc -l)" 24 'rows far above their interval'
finish
