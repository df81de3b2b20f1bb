#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect: under subject_to a figure drew the mean of the designs that keep the limits, others at each
# level, so a curve rose with more walkers. Is it the best design of each level, as plain SQL finds it,
# does the title say so, and the footer how many are beyond the limits?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >lim.yaml <<'END'
sweep: lim
mechanism: neummu
workloads: [resnet50/b1, rnn2/b1]
fidelity: analytic
vary:
  ptw_count: {from: 8, to: 256, scale: pow2}
  prmb_slots: [0, 4, 32]
  page_size: [4KiB, 64KiB, 2MiB]
objectives: {minimize: [slowdown, sram_bytes]}
subject_to: ["slowdown <= 1.026"]
END
gives 0 "$memsweep" run lim.yaml -o lim.db -q
gives 0 "$memsweep" plot lim.db -F lines --data -f svg -o .
best=$(sqlite3 -separator $'\t' lim.db "SELECT workload, page_size, ptw_count, printf('%.9g', min(slowdown))
    FROM lim WHERE slowdown <= 1.026 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3")
drawn=$(tail -n +2 lim-lines.tsv | awk -F '\t' '{ printf "%s\t%s\t%s\t%.9g\n", $1, $2, $3, $4 }')
same "$drawn" "$best" 'the best of each level'
shown=$(said lim-lines.svg | tr '\n' '|' | sed 's/\xc2\xa0/ /g')
has "$shown" 'best over'
lacks "$shown" 'mean over'
beyond=$(sqlite3 lim.db 'SELECT count(*) FROM lim WHERE slowdown > 1.026')
has "$shown" "$beyond of 108 beyond the limits"
gives 0 "$memsweep" plot lim.db -F lines --data -f svg -o . --limits off
lacks "$(said lim-lines.svg | tr '\n' '|')" 'beyond the limits'
finish
