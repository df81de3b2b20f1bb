#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 726. Does --thin N with --distinct show at most N lines where designs of equal objectives
# differ in other metrics?
source "$(dirname "$0")/../cli/common.sh"

# y and z are on the front; w tells equal points apart
{
    echo a,b,y,z,w
    for a in 1 2 3 4 5 6; do
        for b in 1 2 3; do echo "$a,$b,$a,$((7 - a)),$((b / 2 + 10 * a))"; done
    done
} >twins.csv
gives 0 "$memsweep" import twins.csv -i a,b -u 'y min,z min,w' -o twins.db
gives 0 "$memsweep" pareto twins.db -f tsv --thin 3 --distinct
same "$(sed 1d out | wc -l)" 3 'lines of a thinned front'
same "$(sed 1d out | cut -f 1,2 | sort -u | wc -l)" 3 'points of a thinned front'
gives 0 "$memsweep" pareto twins.db -f tsv --distinct
same "$(sed 1d out | wc -l)" 12 'lines of the whole front'
finish
