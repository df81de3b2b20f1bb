#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 066. Whole numbers past 2^53 went through a double: query and export print them as they are
# stored.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
sed -i 's/^fix:/derive: {g: "9223372036854775807", e: "1000000000000001"}\nfix:/' small.yaml
gives 0 "$memsweep" run small.yaml -o x.db -q --seed 9007199254740993
for command in query export; do
    for format in tsv csv json; do
        gives 0 "$memsweep" $command x.db --columns seed,g,e,g-1,x1 --format $format
        for number in 9007199254740993 9223372036854775807 9223372036854775806 1000000000000001; do
            has "$out" $number
        done
        lacks "$out" 9007199254740992
    done
done
gives 0 "$memsweep" query x.db --columns 'seed,g' --limit 1
has "$out" "9007199254740993  9223372036854775807"
gives 0 "$memsweep" query x.db --all --limit 2
has "$out" 9007199254740993
numbers="SELECT -9223372036854775807 AS a, 9.25e18 AS b UNION ALL SELECT 5, 9007199254740993"
gives 0 "$memsweep" query x.db --sql "$numbers" --format csv
same "$out" "$(printf 'a,b\n-9223372036854775807,9.25e+18\n5,9007199254740993')" "mixed columns"
gives 0 "$memsweep" query x.db --sql "SELECT 9007199254740993 AS a UNION ALL SELECT 'x'" -f csv
same "$out" "$(printf 'a\n9007199254740993\nx')" "a text behind a number"
# Two numbers that are one as doubles are not "the same in all rows".
gives 0 "$memsweep" pareto x.db --columns "9007199254740992 + (point % 2) AS odd"
has "$out" 9007199254740993
finish
