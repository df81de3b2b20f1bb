#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 075. export wrote columns that are empty in all rows.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -o x.db -q
gives 0 "$memsweep" export x.db -o some.csv
left=$(echo "$err" | sed -n 's/^memsweep: left out \([0-9]*\) columns that are empty.*/\1/p')
gives 0 "$memsweep" export x.db --all -o all.csv
lacks "$err" "left out"
count() {
    head -n 1 $1 | tr ',' '\n' | wc -l
}
same $(($(count some.csv) + ${left:-0})) "$(count all.csv)" "columns left out and kept"
[ "${left:-0}" -gt 0 ] || fail "nothing was left out"
has ",$(head -n 1 all.csv)," ",f3,"
lacks ",$(head -n 1 some.csv)," ",f3,"
gives 0 "$memsweep" export x.db --columns x1,f3 --format csv
same "$(head -n 1 out)" "x1,f3" "columns asked for by name"
gives 0 "$memsweep" export x.db --filter 'x1 > 5' --format csv
same "$(head -n 1 out)" "$(head -n 1 all.csv)" "columns without rows"
finish
