#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 896. Particles are moved to truths that are known: do these rank evenly among them? Of one
# unknown and one figure, where 20 truths see moves to a tenth of the power (a probability of
# 0.0075). With MEMSWEEP_FULL: 40, of both unknowns and all figures.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
truths=20 figures='fig. 2' unknowns=x1
[ -z "${MEMSWEEP_FULL:-}" ] || truths=40 figures='fig. 1,fig. 2,fig. 3' unknowns=x1,x2
moved="$small --unknowns $unknowns --waves 1 --directed 0 --particles 24 --quiet"
gives 0 "$memsweep" calibrate toy $moved --moves 2000 --figure "$figures" --move-truths $truths
has "$out" "Of $truths truths that particles were moved to"
has "$out" "the ranks are even"
lacks "$out" "the power did not reach 1"
sed -n '/^truths kept/,$ s/^x[12] /&/p' out | awk -v t=$truths '$2 != t || $3 < 12 { bad = 1 } END { exit bad || NR == 0 }' ||
    fail "wanted $truths truths, at least 12 of 24 particles apart: $out"

# None may be computed: no truth is reached, and that is told.
gives 0 "$memsweep" calibrate toy $moved --moves 1 --figure "$figures" --move-truths 5
has "$out" "for 5 more the power did not reach 1"
finish
