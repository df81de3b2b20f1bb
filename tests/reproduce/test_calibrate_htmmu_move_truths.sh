#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 897. Are 20 truths of a real mechanism ranked evenly among particles that were moved to
# them, from a table of 384 settings? Takes minutes: with MEMSWEEP_FULL only.
[ -n "${MEMSWEEP_FULL:-}" ] || exit 77
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
gives 0 "$memsweep" calibrate htmmu --figure 'fig. 10,fig. 16' --unknowns l1_mshrs,outstanding,l2_ports,bank_gates \
    --waves 1 --samples 384 --errors 24 --full 1 --directed 0 --particles 128 --move-truths 20 --no-figures --quiet \
    --table truths -f tsv
same "$(cells 'truths of moves' <out | sort -u)" 20 "truths"
cells 'probability of such ranks of moves' <out | awk '{ if ($1 < 0.01) exit 1 }' || fail "uneven ranks: $(cat out)"
finish
