#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 772. A few rows of many columns were one long line each, or columns were left out.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -o x.db -q
gives 0 "$memsweep" query x.db -w 'point < 2' -c 'point, x1, cycles, peak' --format record
same "$out" "-- 1 of 2 --
point   0
x1      0
cycles  24000 cycles
-- 2 of 2 --
point   1
x1      0
cycles  24000 cycles
(2 rows)
empty: peak
errors unknown here: 2 of 2 rows (no table of errors)" "records"
gives 0 "$memsweep" query x.db -w 'point < 2' --format record
has "$out" "function        zdt1"
lacks "$out" "row_id "
gives 0 "$memsweep" query x.db -w 'point < 0' --format record -c point
same "$out" "(0 rows)" "no records"
gives 0 "$memsweep" status x.db --format record
has "$out" "progress   100 %"
# On a narrow terminal a few rows become records by themselves, many stay a table.
wide=point,x1,x2,gain,cycles,stall,rate,slowdown,f1,f2
if script --version 2>/dev/null | grep -q util-linux; then
    script -qec "stty cols 60; $memsweep query x.db -c '$wide' -w 'point < 2'" /dev/null </dev/null >typed
    has "$(cat typed)" "-- 2 of 2 --"
    script -qec "stty cols 60; $memsweep query x.db -c '$wide' -w 'point < 20'" /dev/null </dev/null >typed
    lacks "$(cat typed)" "-- 2 of"
fi
finish
