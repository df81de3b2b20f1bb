#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 062. Reading an input file that never ends took all memory: devices are refused, files and
# pipes have limits, and what is a pipe can still be read.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
# A sanitizer reserves more than any limit.
if (ulimit -v 4000000 && "$memsweep" version >/dev/null 2>&1); then
    ulimit -v 4000000
fi
for word in check plan run; do
    gives 2 "$memsweep" $word /dev/zero
    has "$err" "/dev/zero: is a device; allowed: a file or a pipe"
done
gives 2 "$memsweep" check "$work"
has "$err" "is a folder"
gives 0 "$memsweep" check <(cat small.yaml)
mkfifo endless
cat /dev/zero >endless 2>cat_says &
gives 2 "$memsweep" check endless
has "$err" "endless: larger than 16 MiB"
wait $!
truncate -s 17M large.yaml
gives 2 "$memsweep" check large.yaml
has "$err" "large.yaml: larger than 16 MiB"

# Whatever a sweep names is read by the same rules.
truncate -s 5G large.csv
printf 'sweep: t\nmechanism: neummu\nworkloads: [large.csv]\nvary: {ptw_count: [1, 2]}\n' >n.yaml
gives 2 "$memsweep" check n.yaml
has "$err" "large.csv: larger than 4096 MiB"
truncate -s 65M points.csv
{
    cat <(printf 'sweep: t\nmechanism: null\nworkloads: [synth/small]\n')
    printf 'design: {kind: list, file: points.csv}\n'
} >p.yaml
gives 2 "$memsweep" check p.yaml
has "$err" "points.csv:1:1: a line of more than 1048576 characters"
gives 0 "$memsweep" run small.yaml -o x.db -q
gives 3 "$memsweep" surrogate x.db --points /dev/zero
has "$err" "is a device"
finish
