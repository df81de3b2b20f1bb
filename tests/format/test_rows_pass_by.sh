#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rows for programs were all held in memory, 280 MiB for 65,536 rows of 195 columns. Do they pass by,
# the same as in a table that is held (export), with whatever a column holds?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small 'fail_share: 0.02'
sed -i 's/count: 11/count: 150/' small.yaml
"$memsweep" run small.yaml -o x.db -q 2>/dev/null
for format in csv tsv json; do
    "$memsweep" query x.db -f $format --filter 'point < 3000' >passed
    "$memsweep" export x.db -f $format --filter 'point < 3000' --all >held
    cmp passed held || fail "$format differs"
    gives 0 "$memsweep" query x.db -f $format --filter 'point < 0'
    "$memsweep" export x.db -f $format --filter 'point < 0' --all >held
    same "$out" "$(cat held)" "$format of no rows"
done
# A column that is a number first and a text later, and names that need quotes.
statement="SELECT CASE WHEN point < 2000 THEN point ELSE 'a,b' END AS \"x \"\"y\"\"\" FROM small"
gives 0 "$memsweep" query x.db -f csv --sql "$statement"
same "$(head -n 2 out | tail -n 1) $(tail -n 1 out)" '0 "a,b"' "values of two kinds"
same "$(head -n 1 out)" '"x ""y"""' "a name with quotes"
(
    ulimit -v 70000
    "$memsweep" query x.db -f json >/dev/null 2>err
) || fail "67,500 rows in 70 MB: $(cat err)"
finish
