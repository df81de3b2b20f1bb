#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 827. A column whose title has a character that YAML does not take as it is (delete, a
# control character of Latin-1, a byte order mark) was imported, and the sweep could not be read
# again: JSON, in which it was written, takes it. Found by fuzzing.
source "$(dirname "$0")/../cli/common.sh"
for odd in $'\177' $'\302\205' $'\302\233' $'\342\200\250' $'\357\273\277' $'\004'; do
    rm -rf results
    printf 'a,b%sc,y\n1,2,3\n2,2,4\n1,3,5\n2,3,6\n' "$odd" >t.csv
    gives 0 "$memsweep" import t.csv -q --inputs "a, 'b${odd}c' as b" --outputs 'y min'
    gives 0 "$memsweep" pareto t
    has "$out" "b"
done
finish
