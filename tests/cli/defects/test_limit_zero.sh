#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 060. query --limit 0 printed all rows: it prints none, but the columns.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -o x.db -q
for format in tsv csv; do
    gives 0 "$memsweep" query x.db --limit 0 --columns point,x1 --format $format
    same "$(wc -l <out)" 1 "lines of $format with no rows"
done
gives 0 "$memsweep" query x.db --limit 0 --columns point
has "$out" "(0 rows)"
gives 0 "$memsweep" query x.db --limit 2 --columns point --format tsv
same "$(wc -l <out)" 3 "lines with two rows"
gives 0 "$memsweep" query x.db --columns point --format tsv
same "$(wc -l <out)" 364 "lines with all rows"
finish
