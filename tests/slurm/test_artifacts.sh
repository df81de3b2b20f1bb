#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does an array start with one job that builds what is kept, do its tasks wait for that and read it,
# and do they give the rows that one process gives?
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
{
    printf 'sweep: learned\nmechanism: null\nworkloads: [synth/small, synth/even]\n'
    printf 'corpus: [synth/even]\nvary: {train_batches: [0, 8, 32], x1: [0, 0.5, 1]}\n'
} >learned.yaml
gives 0 "$memsweep" run learned.yaml -q -o one.db

submit learned.yaml --array 3 --time 5:00 -o results/parts.db
build=$(sed -nE 's/.*after its artifacts by job ([0-9]+).*/\1/p' out)
merge=$(sed -nE 's/.*merged by job ([0-9]+).*/\1/p' out)
[ -n "$build" ] || fail "no job for artifacts in '$out'"
until_state "$merge" COMPLETED 90
same "$(digest results/parts.db)" "$(digest one.db)" "digest of an array that read its artifacts"
gives 0 "$memsweep" query results/parts.artifacts.db -f tsv \
    --sql 'SELECT count(*) FROM msw_artifact WHERE whole = 1'
same "$(echo "$out" | tail -n 1)" 2 "artifacts that one job built"
has "$(cat "$(log results/parts.db "$build")")" "2 kept artifacts built in"
lacks "$(cat results/parts.db.*"${job}"_*.log)" "built in"
has "$(cat results/parts.db.*"${job}"_*.log)" "read"
gives 0 "$memsweep" status results/parts.db
has "$out" "artifacts"
finish
