#!/usr/bin/env bash
# Does calibrate write the same page and table of settings on one thread and on two, at once and after
# it was interrupted, and does a second run compute nothing?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
gives 0 "$memsweep" calibrate toy $small -o one
gives 0 "$memsweep" calibrate toy $small -o again
lacks "$err" "points to evaluate"
gives 0 "$memsweep" calibrate toy $small --threads 2 --results two -o two
for file in toy-region.md toy-region-settings.tsv; do
    cmp one/$file again/$file || fail "a second run wrote another $file"
    cmp one/$file two/$file || fail "two threads wrote another $file"
done

# An interrupted run goes on: the rows of one wave are there.
gives 0 "$memsweep" calibrate toy $small --waves 1 --results three -o three
gives 0 "$memsweep" calibrate toy $small --results three -o three
for file in toy-region.md toy-region-settings.tsv; do
    cmp one/$file three/$file || fail "a run that went on wrote another $file"
done

# How settings are cut into outer and inner ones changes where they lie, not what is found.
gives 0 "$memsweep" calibrate toy $small --inner 1 --table unknowns -f tsv
awk -v a="$(cells median <out | head -1)" 'BEGIN { exit !(a > 0.27 && a < 0.33) }' || fail "x1 without inner settings"
finish
