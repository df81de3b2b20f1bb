#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is the band of half-widths within the axes, from its low to its high end? The axes went by the
# means alone, and cut it.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
printf 'a,y,y_hw\n1,1,0.5\n2,2,1\n3,3,2\n' >wide.csv
gives 0 "$memsweep" import wide.csv -s wide -i a -u 'y min' --fidelity sampled -o wide.db
gives 0 "$memsweep" plot wide.db --figure lines -x a -m y -f svg -o .
# a band of three points has six corners; where it is cut there are more
corners=$(grep -o "<polygon.*points = '[^']*'" wide-lines.svg | sed "s/.*points = '//; s/'//" | wc -w)
same "$corners" 6 'corners of the band'
finish
