#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does the table behind every recipe of analysis/ hold what SQL of its own finds in the rows, on 13
# sweeps: one and several workloads, three objectives, limits, missing levels, 10^5 rows, auto, auto
# over workloads, sampled beside full, designs of sensitivity, a search, and settings of a paper?
source "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
source "$MEMSWEEP_SOURCE/tests/cli/toy_paper.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
python3 -c 'import sqlite3' 2>err || exit 77
toy_published '0.95,'
sed -i 3q $toy/published.csv # the sum alone: it binds the two together
gives 0 "$memsweep" calibrate toy ${small/--samples 96/--samples 700}
gives 0 python3 "$MEMSWEEP_SOURCE/tests/figure/drawn_tables.py" "$memsweep"
same "$out" "" "drawn and stored"
recipes=$(cd "$MEMSWEEP_SOURCE/analysis" && echo *.sql | sed 's/\.sql//g')
same "$(sed -n 's/^recipes: //p' err)" "$recipes" "recipes that were drawn"
finish
