#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 871. A quantity that the closed form has no answer for: does it wait for full, is its sweep
# left out of the first waves, and does it rule settings out then?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,fidelities
sum,fig. 1,x1 + x2,,0.90,stated,text,0.8,1.0,SELECT y AS value FROM :sum WHERE x3 = 0,,,
first,fig. 2,x1,,0.30,stated,text,0.2,0.4,SELECT f1 AS value FROM :first,,,full
END
gives 0 "$memsweep" calibrate toy $small --waves 1
has "$out" "so these wait for full: first (measured in 16 settings at both)"
lacks "$err" "toy-first: 96 of 96 points to evaluate at analytic"
has "$err" "toy-sum: 192 of 192 points to evaluate at analytic"
row=$(grep '^| x1 |' results/paper/toy-region.md)
awk -F '|' '{ exit !($5 >= 0.15 && $6 <= 0.45) }' <<<"$row" || fail "left is x1 of 0.15 to 0.45: $row"

# None is answered there: all settings are computed at full.
sed -i '2s/$/full/' $toy/published.csv
gives 0 "$memsweep" calibrate toy $small --waves 1
has "$out" "in 1 waves, all at full"
lacks "$err" "at analytic"
finish
