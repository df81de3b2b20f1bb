#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 065. A run of 10^12 points ended with "out of memory": how many points, and how many are
# possible.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
{
    printf 'sweep: big\nmechanism: null\nworkloads: [synth/small]\nvary:\n'
    printf '  x%d: {from: 0, to: 1, count: 100000}\n' 1 2
} >big.yaml
gives 2 "$memsweep" run big.yaml -o x.db
has "$err" "10000000000 points, at most 4294967294 are possible in a file; take fewer levels"
[ ! -e x.db ] || fail "a database was made all the same"
gives 2 "$memsweep" submit big.yaml -o x.db --dry-run
has "$err" "at most 4294967294"
gives 0 "$memsweep" plan big.yaml --trial 0 --first 0
has "$out" "too many to run: a file holds at most 4,294,967,294"
gives 0 "$memsweep" check big.yaml
has "$out" "too many points to run"

# As many as a file takes, but not this machine.
sed -i 's/100000}/65535}/' big.yaml
if (ulimit -v 400000 && "$memsweep" version >/dev/null 2>&1); then
    ulimit -v 400000
    gives 3 "$memsweep" run big.yaml -o x.db
    has "$err" "out of memory: a run of 4294836225 points needs 512 MiB to mark them"
fi
finish
