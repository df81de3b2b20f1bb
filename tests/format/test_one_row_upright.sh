#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 074. One row of many columns was one line of thousands of characters.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -o x.db -q
gives 0 "$memsweep" query x.db --filter point=3
longest=$(awk '{ if (length > most) most = length } END { print most }' out)
[ "$longest" -le 120 ] || fail "a line of $longest characters"
has "$out" "workload        synth/small"
has "$out" "cycles          24000 cycles"
has "$out" "(1 row)"
gives 0 "$memsweep" query x.db --filter point=3 --columns point,x1
same "$(head -n 2 out)" "$(printf 'point  x1\n    3   0')" "a row that fits"
gives 0 "$memsweep" query x.db --filter point=3 --format tsv
same "$(wc -l <out)" 2 "lines of tsv"
finish
