#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 911. Two planted contradictions: are settings aimed at one computed for its rows alone, do
# they count for that set and no other, and are they the same bits on any threads and after an
# interruption?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
# sin(x1 pi / 2) of 0.95 and more needs x1 of 0.8, and x1 is 0.3; x1 + x2 is 0.9, and twice that 2.6.
toy_published '0.95,'
sed -i 's/^again.*/again,fig. 1,the same doubled,,2.60,stated,text,2.5,2.7,SELECT 2 * y AS value FROM :sum WHERE x3 = 0,,,/' \
    $toy/published.csv
gives 0 "$memsweep" calibrate toy $small
whole=$(awk -F '\t' '$2 == "full"' results/paper/toy-settings.tsv | wc -l)
has "$out" "$whole of them at full and 50 for some quantities only"
has "$out" "2 sets of up to 5 quantities are met by none of"
page=$(cat results/paper/toy-region.md)
# The whole ones and the 25 aimed at each; not the 25 aimed at the other.
has "$page" "| 1 | sum, again | $((whole + 25)) | 25 |"
has "$page" "| 2 | first, sine | $((whole + 25)) | 25 |"
has "$page" "Nothing is left"
# Rows that full is asked for: the paper's own, and one for each setting that wants it.
full_points() { grep "^toy-$1: .* at full" err | awk '{ sum += $4 } END { print sum + 0 }'; }
same "$(full_points sum)" $((2 + whole + 25)) "rows of sum"
same "$(full_points first)" $((1 + whole + 25)) "rows of first"
same "$(full_points sine)" $((1 + whole + 25)) "rows of sine"
# A setting in part has the cells that it was asked for, is not left and has no largest distance.
in_part() { awk -F '\t' '$2 == "full, in part"' results/paper/toy-settings.tsv; }
same "$(in_part | wc -l)" 50 "settings in part"
same "$(in_part | awk -F '\t' '$3 == 0 && $4 == ""' | wc -l)" 50 "settings in part that are not left"
same "$(in_part | awk -F '\t' '$8 != "" && $9 != "" && $10 == "" && $11 == ""' | wc -l)" 25 "asked for sum and again"
same "$(in_part | awk -F '\t' '$8 == "" && $9 == "" && $10 != "" && $11 != ""' | wc -l)" 25 "asked for first and sine"

gives 0 "$memsweep" calibrate toy $small --threads 2 --results two -o two
gives 0 "$memsweep" calibrate toy $small --directed 10 --results three -o three
gives 0 "$memsweep" calibrate toy $small --results three -o three
for other in two three; do
    cmp results/paper/toy-region.md $other/toy-region.md || fail "another page: $other"
    cmp results/paper/toy-settings.tsv $other/toy-settings.tsv || fail "another table: $other"
done
finish
