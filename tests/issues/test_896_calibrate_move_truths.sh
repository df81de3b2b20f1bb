#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Particles are moved to truths that are known: do these rank evenly among them?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
gives 0 "$memsweep" calibrate toy $small --waves 1 --directed 0 --particles 48 --moves 2000 --move-truths 20 --quiet
has "$out" "Of 20 truths that particles were moved to"
has "$out" "the ranks are even"
lacks "$out" "the power did not reach 1"
grep '^x[12] ' out | awk '$2 == 20 && $3 >= 24 { n++ } END { exit n != 2 }' || fail "20 truths, 24 of 48: $out"

# None may be computed: no truth is reached, and that is told.
gives 0 "$memsweep" calibrate toy $small --waves 1 --directed 0 --particles 48 --moves 1 --move-truths 5 --quiet
has "$out" "for 5 more the power did not reach 1"
finish
