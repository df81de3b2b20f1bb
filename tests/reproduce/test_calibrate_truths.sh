#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 869. Are settings kept out of the table ranked evenly among those weighted by what would
# have been published of them? With MEMSWEEP_FULL: 500 of 16,384.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
samples=1500 truths=100
[ -z "${MEMSWEEP_FULL:-}" ] || samples=16384 truths=500
wide='--unknowns x1,x2 --waves 1 --errors 16 --full 16 --directed 0 --threads 1 --quiet --no-figures'
gives 0 "$memsweep" calibrate toy $wide --samples $samples --truths $truths --table truths -f tsv
same "$(cells truths <out | head -1)" $truths "truths"
cells 'effective sample' <out | head -1 | awk '{ exit !($1 >= 20) }' || fail "too few to tell: $(cat out)"
cells 'probability of such ranks' <out | awk '{ if ($1 < 0.01) exit 1 }' || fail "uneven ranks: $(cat out)"
finish
