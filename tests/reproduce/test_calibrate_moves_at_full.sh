#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 898. Where a paper is computed at full from the start, is nothing moved unless --moves says
# how much it may cost, and are weights then of particles at full?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,fidelities
sum,fig. 1,x1 + x2,,0.90,stated,text,0.8,1.0,SELECT y AS value FROM :sum WHERE x3 = 0,,,full
first,fig. 2,x1,,0.30,stated,text,0.2,0.4,SELECT f1 AS value FROM :first,,,full
END
gives 0 "$memsweep" calibrate toy $small --particles 64
lacks "$out" "sequential Monte Carlo"
has "$out" "Weights (full): an effective sample"
gives 0 "$memsweep" calibrate toy $small --particles 256 --moves 4000
has "$out" "Weights (full): sequential Monte Carlo, 256 particles, "
lacks "$err" "at analytic"
spent=$(grep -oE '[0-9]+ settings computed' out | grep -oE '[0-9]+')
[ "${spent:-0}" -gt 0 ] && [ "$spent" -le 4000 ] || fail "$spent settings computed, 4000 are allowed"
finish
