#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 865. A paper says what two unknowns lead to. Does calibrate find the unknowns that were
# planted, the share of the prior that is left, and, where a number is planted that cannot be, the
# set that nothing meets?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"

# x1 = 0.3 and x2 = 0.6, within 3 deviations of 0.05: |x1 - 0.3| < 0.15 and |x1 + x2 - 0.9| < 0.15, a
# parallelogram of 0.09; what the sine allows holds it.
toy_published ',0.6'
gives 0 "$memsweep" calibrate toy $small
text=$out
has "$text" "4 quantities: a true setting is ruled out with a chance of 1.1 %"
has "$text" "No set of up to 5 quantities is unmet."
share=$(grep -oE '^[0-9.]+ % of the prior is left' out | grep -oE '^[0-9.]+')
awk -v s="$share" 'BEGIN { exit !(s > 7 && s < 11) }' || fail "$share % of the prior left, 9 are"
has "$(cat results/paper/toy-region.md)" "made by memsweep calibrate toy --unknowns x1,x2"
same "$(head -1 results/paper/toy-settings.tsv | cut -f 6,7)" "x1	x2" "columns of unknowns"
median() { grep "^| $1 |" results/paper/toy-region.md | cut -d '|' -f 9; }
x1=$(median x1) x2=$(median x2)
awk -v a="$x1" -v b="$x2" 'BEGIN { exit !(a > 0.27 && a < 0.33 && b > 0.55 && b < 0.65) }' ||
    fail "x1 = $x1 and x2 = $x2 were found, 0.3 and 0.6 are planted"

# sin(x1 pi / 2) of 0.95 and more needs x1 of 0.8; x1 is 0.3.
toy_published '0.95,'
gives 0 "$memsweep" calibrate toy $small
has "$out" "Nothing is left: discrepancies must grow by"
has "$out" "sets of up to 5 quantities are met by none"
has "$(cat results/paper/toy-region.md)" "| 1 | first, sine |"
finish
