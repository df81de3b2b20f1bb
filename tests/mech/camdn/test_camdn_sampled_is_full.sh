#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 752. Everything of camdn runs at sampled, too. Are then all tasks looked at, however many
# there are, and are the answers those of full, to the bit, with intervals of no width?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
for fidelity in full sampled; do
    cat >$fidelity.yaml <<END
sweep: $fidelity
mechanism: camdn
workloads: [mix/small]
fidelity: $fidelity
design: grid
fix: {tenants: 4, tasks: 200}
vary: {cache_control: [tags, pages]}
seed: 1
END
    gives 0 "$memsweep" run $fidelity.yaml -o both.db -q
    gives 0 "$memsweep" query both.db --sweep $fidelity -f tsv \
        -c 'cycles, latency, traffic, hits, energy, units_measured, units_total, coalesce(cycles_hw, 0)'
    grep -v '^#' out >$fidelity.tsv
done
cmp full.tsv sampled.tsv || fail "$(cat full.tsv sampled.tsv)"
[ "$(cut -f6,7 sampled.tsv | sed 1d | sort -u)" = $'800\t800' ] || fail "$(cat sampled.tsv)"
finish
