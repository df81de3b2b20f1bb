#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does translation in front of the memory keep the rules of a public multi-core NPU simulator? They
# are written a second time in python, from their description: tile lists on up to three NPUs,
# private and pooled walkers, private and shared TLBs. Three cases; with MEMSWEEP_FULL 60.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
python3 "$MEMSWEEP_SOURCE/tests/mech/camdn/translation_rules.py" 0 $((${MEMSWEEP_FULL:+57} + 3)) \
    "$memsweep" || fail "the rules say otherwise"
finish
