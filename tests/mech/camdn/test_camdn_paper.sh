#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 471. Do the sweeps and the table of CaMDN's paper go together, and does it reach what it
# reached: the cut of the traffic, the gain over equal shares, the statistics of the data, the
# areas?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
"$memsweep" reproduce camdn --figure 'abstract,table III' --no-figures --fidelity analytic \
    --results results --docs docs --quiet >printed 2>log || fail "reproduce: $(cat log)"
# the closed form moves 6 % too much with tags on these networks: the cut is a point above the cycle
# model's, and above the band
grep -qE '^cut of the traffic with Algorithm 1 .* stated +(3[3-9]|40)\.[0-9]+ %' printed ||
    fail "$(cat printed)"
[ "$(grep -cE ' pass +law$' printed)" = 2 ] || fail "areas: $(cat printed)"
finish
