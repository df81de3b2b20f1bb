#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 792. Do details stay with their mechanism when files are merged, where the name of another
# mechanism begins like it (null, null_forward)?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
rest='workloads: [synth/small]
fidelity: full
fix: {carry: 0.05}
vary: {gain: [1, 2, 3]}'
printf 'sweep: first\nmechanism: null\n%s\n' "$rest" >null.yaml
printf 'sweep: second\nmechanism: null_forward\n%s\n' "$rest" >forward.yaml
gives 0 "$memsweep" run forward.yaml -q --seed 1 -o main.db
gives 0 "$memsweep" run null.yaml -q --seed 2 -o other.db
sed 's/small/even/' forward.yaml >even.yaml # other details
gives 0 "$memsweep" run even.yaml -q --seed 2 -o other.db
for file in main other; do
    gives 0 "$memsweep" verify -q $file.db
done
gives 0 "$memsweep" merge -q main.db other.db
gives 0 "$memsweep" verify main.db
finish
