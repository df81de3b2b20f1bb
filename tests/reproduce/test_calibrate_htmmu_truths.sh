#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 872. Are 500 truths of a real mechanism, kept out of a table of 3,072 settings, ranked
# evenly? Takes half a minute: with MEMSWEEP_FULL only.
[ -n "${MEMSWEEP_FULL:-}" ] || exit 77
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
gives 0 "$memsweep" calibrate htmmu --figure 'fig. 10,fig. 16' --unknowns l1_mshrs,outstanding,l2_ports,bank_gates \
    --waves 1 --samples 3072 --errors 24 --full 1 --directed 0 --truths 500 --no-figures --quiet --table truths -f tsv
same "$(cells truths <out | sort -u)" 500 "truths"
cells 'effective sample' <out | awk '{ if ($1 < 20) exit 1 }' || fail "the table is too thin: $(cat out)"
cells 'probability of such ranks' <out | awk '{ if ($1 < 0.01) exit 1 }' || fail "uneven ranks: $(cat out)"
finish
