#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 261. A pass that follows from another row, from the model's own arithmetic or from 0 <= 0
# counted like any other. Are they counted apart, and is a region sought among the others only?
source "$(dirname "$0")/../cli/common.sh"
toy=sweeps/paper/toy
mkdir -p $toy
cat >$toy/lines.yaml <<'END'
sweep: toy-lines
mechanism: neummu
workloads: [alexnet/b1]
vary: {ptw_count: [64, 128]}
fix: {outstanding: 0}
END
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends
own,fig. 1,rows,,2,stated,text,2,2,SELECT count(*) AS value FROM :lines,,,
again,fig. 1,rows once more,,2,stated,text,2,2,SELECT count(*) AS value FROM :lines,,,own
sum,fig. 1,arithmetic,,2,derived,text,2,2,SELECT 1 + 1 AS value FROM :lines LIMIT 1,,,law
still,fig. 1,nothing moved,,0,stated,text,0,0,"SELECT 0 AS value, 0 AS moved FROM :lines LIMIT 1",,,
wide,fig. 1,most of it,%,,stated,text,50,100,SELECT 0.7 AS value FROM :lines LIMIT 1,,,
far,fig. 1,missed,,5,stated,text,5,5,SELECT count(*) AS value FROM :lines,,,
END
gives 0 "$memsweep" reproduce toy --over-unknowns 3 --confirm 1
has "$out" "toy: two-sided: 0 pass, 1 miss; law: 1 pass, 0 miss; hollow: 3 pass, 0 miss; 0 without verdict"
page=$(cat results/paper/toy.md)
has "$page" "| pass | with own |"
has "$page" "| pass | law |"
has "$page" "| pass | hollow: all 0, all 1, no design matters |"
has "$page" "Of the 4 verdicts that do not follow from others at most 1 pass together, in 3 of 3 samples"
has "$page" "The 1 samples with most passes, computed at full"
has "$page" 'In none of them passes: `still`, `wide`, `far`.'
gives 0 "$memsweep" reproduce toy -f tsv
has "$out" "hollow"
finish
