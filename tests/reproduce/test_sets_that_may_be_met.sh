#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 924. `first` and `sine` contradict each other, and only full answers them. Settings that
# are drawn for the weights, once the set was tried, are known by the closed form alone: does the
# set stand, and does the table tell how many settings may meet it?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published '0.95,'
awk -v OFS=, 'NR == 1 { print $0, "fidelities"; next }
    /^(first|sine),/ { print $0, "full" } /^(sum|again),/ { print $0, "" }' $toy/published.csv >published
mv published $toy/published.csv
ask="--unknowns x1,x2 --samples 40 --waves 2 --errors 40 --full 80 --directed 25 --aimed 25 --particles 0"
gives 0 "$memsweep" calibrate toy $ask --conclusions 0 --no-figures -q -t 1
settings() { awk -F '\t' -v is="$1" '$2 == is' results/paper/toy-settings.tsv | wc -l; }
full=$(settings full)
closed=$(settings analytic)
[ "$closed" -ge 20 ] || fail "only $closed settings are known by the closed form alone"
page=$(cat results/paper/toy-region.md)
has "$page" "| 1 | first, sine | $((full + 25)) | 25 | $closed |"
has "$page" '1 sets of the table are met by no setting at full that was asked for them, but may be'
has "$page" "| 2 | sum, first, sine | $full | 0 | 0 |"
finish
