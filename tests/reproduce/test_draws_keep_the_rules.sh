#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 265. Drawn settings that exclude one another (a walk of fixed length, table lines) had no
# answer and nobody said so. Are they drawn again, and said?
source "$(dirname "$0")/../cli/common.sh"
toy=sweeps/paper/toy
mkdir -p $toy
cat >$toy/lines.yaml <<'END'
sweep: toy-lines
mechanism: neummu
workloads: [alexnet/b1]
vary: {ptw_count: [64, 128]}
fix: {walk_cycles: 400}
END
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends
rows,fig. 1,rows,,2,stated,text,2,2,SELECT count(cycles) AS value FROM :lines,,,
END
gives 0 "$memsweep" reproduce toy --over-unknowns 40 --unknowns table_lines,tlb_cycles --confirm 0 --quiet
page=$(cat results/paper/toy-analytic.md 2>/dev/null || cat results/paper/toy.md)
has "$page" "of them broke a rule and were drawn again, as with: walk_cycles = 400 is a whole walk"
has "$page" "0 still break one"
has "$page" "at most 1 pass together, in 40 of 40 samples"
finish
