#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 069. A database that is not there: every command says where it looked and what is there.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
mkdir results
gives 0 "$memsweep" run small.yaml -o results/small.db -q
cp results/small.db copy.db
for command in query pareto sensitivity surrogate agree export digest report plot status; do
    gives 3 "$memsweep" $command nosuch
    has "$err" "no database 'nosuch': neither a file of that name nor results/nosuch.db; there is"
    has "$err" "small, copy.db"
done
gives 3 "$memsweep" pareto smal
has "$err" "did you mean 'small'?"
gives 3 "$memsweep" query ./kopy.db
has "$err" "no database './kopy.db'; did you mean './copy.db'?"
gives 3 "$memsweep" query empty/x.db
has "$err" "there is none in its folder: 'memsweep run SWEEP' makes one"
gives 3 "$memsweep" merge all.db copi.db
has "$err" "no database 'copi.db'; did you mean 'copy.db'?"
finish
