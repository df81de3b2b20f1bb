#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1240. Between the levels of a grid a process with lengths below their gap predicted its
# centre, 7.15 where the truth is 0.3 and no row is above 5.7, and levels left out were predicted by
# other kernels than the one that did this. A prediction beyond all rows was not told.
source "$(dirname "$0")/../cli/common.sh"

awk 'BEGIN {
    print "a,b,c,y"
    for (a = 1.5; a < 50; a *= 2)
        for (b = 1; b < 17; b *= 2)
            for (c = 0; c < 4; c++)
                printf "%g,%g,%g,%.12g\n", a, b, c, log(1 + (a < 9 ? 9 - a : 0) * b) + 0.3 * c
}' >grid.csv
gives 0 "$memsweep" import -q grid.csv -i 'a log, b log, c' -u y -o grid.db
# predicts MODEL POINT: leaves the prediction and its interval.
predicts() {
    gives 0 "$memsweep" surrogate grid.db -m y --model "$1" --at "$2" -f tsv
    read -r value low high <<<"$(awk -F'\t' 'NR == 2 { print $4, $5, $6 }' out)"
}
for a in 15 20 30 40; do # where nothing but c has an effect, levels on both sides say so
    predicts process "a=$a,b=4,c=1"
    awk -v v="$value" -v l="$low" -v h="$high" \
        'BEGIN { exit !(l < 0.3 && 0.3 < h && v > -0.7 && v < 1.3) }' ||
        fail "a = $a: $value in $low .. $high, the truth is 0.3"
    lacks "$out" "beyond"
done
# A polynomial swings below the least row, 0, behind the bend: that is said.
gives 0 "$memsweep" surrogate grid.db -m y --model polynomial --at a=20,b=2,c=0
has "$out" "below all rows"
has "$out" "1 of 1 predictions lie below or above all rows"
finish
