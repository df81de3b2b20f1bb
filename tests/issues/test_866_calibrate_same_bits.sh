#!/usr/bin/env bash
# Does calibrate write the same page and table of settings on one thread and on two, at once and after
# it was interrupted, and does a second run compute nothing?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
gives 0 "$memsweep" calibrate toy $small -o one
gives 0 "$memsweep" calibrate toy $small --threads 2 --results two -o two
for file in toy-region.md toy-region-settings.tsv; do
    cmp one/$file two/$file || fail "two threads wrote another $file"
done

# An interrupted run goes on: the rows of one wave are there.
gives 0 "$memsweep" calibrate toy $small --waves 1 --results three -o three
gives 0 "$memsweep" calibrate toy $small --results three -o three
gives 0 "$memsweep" calibrate toy $small --results three -o three
lacks "$err" "points to evaluate"
for file in toy-region.md toy-region-settings.tsv; do
    cmp one/$file three/$file || fail "a run that went on wrote another $file"
done
finish
