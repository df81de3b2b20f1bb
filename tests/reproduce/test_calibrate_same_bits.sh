#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 866. Does calibrate write the same page and table of settings on one thread and on two, at
# once and after it was interrupted, and does a second run compute nothing?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
gives 0 "$memsweep" calibrate toy $small -o one
gives 0 "$memsweep" calibrate toy $small --threads 2 --results two -o two
cmp one/toy-region.md two/toy-region.md || fail "two threads wrote another page"
cmp results/paper/toy-settings.tsv two/toy-settings.tsv || fail "two threads wrote another table"

# An interrupted run goes on: the rows of one wave are there.
gives 0 "$memsweep" calibrate toy $small --waves 1 --results three -o three
gives 0 "$memsweep" calibrate toy $small --results three -o three
gives 0 "$memsweep" calibrate toy $small --results three -o three
lacks "$err" "points to evaluate"
cmp one/toy-region.md three/toy-region.md || fail "a run that went on wrote another page"
cmp results/paper/toy-settings.tsv three/toy-settings.tsv || fail "a run that went on wrote another table"
finish
