#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 083. The tutorial said 0.2 % where its table says 0.04 %, and the page on analysis asked
# which points are uncertain of a front with nothing uncertain.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
page=$MEMSWEEP_SOURCE/docs/tutorial.md
table=$(awk '$1 == "cycles" && NF == 9 { printf "%.2g", 100 * $5 + 0; exit }' "$page")
text=$(sed -n 's/.*closed form is off by \([0-9.]*\) % in the median.*/\1/p' "$page")
[ "$table" ] && [ "$text" ] || fail "the sentence or its table is gone"
same "$(printf '%.1g' "$table")" "$text" "median in table and text"
open=$(awk '/^## 4/ { on = 1 } /^## 5/ { on = 0 } on && /certainly on it/ { print $8 }' \
    "$MEMSWEEP_SOURCE/docs/analysis.md")
[ "${open:-0}" -gt 0 ] || fail "no point of the front in section 4 is open"

# How to bring one's own stands where one looks first.
for front in npu trace sparse; do
    gives 0 "$memsweep" describe $front
    has "$out" "Your own"
    has "$out" "workloads: [mine."
    has "$out" "docs/models/$front.md"
done
has "$(grep '^## ' "$page")" "Workloads of your own"
finish
