#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 925. Rows that are not to be trusted: does every command that shows rows show why, does
# every analysis leave them out and say how many, and do they survive every way that rows take?
source "$(dirname "$0")/../cli/common.sh"

cat >spikes.yaml <<END
sweep: spikes
mechanism: null
workloads: [synth/even]
fidelity: analytic
fix: {planted_spikes: 0.3, planted_depth: 5, function: zdt1, x3: 1, x4: 1, x5: 1, x6: 1, x7: 1, x8: 1, x9: 1, x10: 1}
vary:
  x1: {values: [0, 0.01, 0.02, 0.03, 0.04]}
  x2: {values: [0, 0.25, 0.5, 0.75, 1]}
objectives: {minimize: [f1, f2]}
END
gives 0 "$memsweep" run spikes.yaml -o all.db
has "$out" "25 ok (8 of them doubtful)"
doubts=$("$memsweep" query all.db -c 'point, f2, doubt' -w 'doubt IS NOT NULL' -f tsv)
same "$(grep -c 'f2 = .*, plausible from 0 to 1000' <<<"$doubts")" 8 'rows with their doubt'
gives 0 "$memsweep" status all.db -f tsv
has "$out" doubtful
gives 0 "$memsweep" digest all.db
wanted=$out

# fronts and analyses
for command in 'pareto' 'sensitivity -m f2' 'surrogate -m f2'; do
    gives 0 "$memsweep" $command all.db
    has "$out" '8 doubtful left out'
    gives 0 "$memsweep" $command all.db --doubtful
    same "$(grep -c doubtful <<<"$out")" 0 "$command --doubtful"
done
gives 0 "$memsweep" pareto all.db
has "$out" 'of 17 points'
gives 0 "$memsweep" pareto all.db --doubtful
has "$out" 'of 25 points'
gives 0 "$memsweep" run spikes.yaml --fidelity full -q -o both.db
gives 0 "$memsweep" merge -q both.db all.db
same "$("$memsweep" agree both.db -m f2 -f tsv | awk 'NR == 2' | cut -f 4)" 17 'pairs that agree compares'
same "$("$memsweep" agree both.db -m f2 -f tsv --doubtful | awk 'NR == 2' | cut -f 4)" 25 'of all'
gives 0 "$memsweep" report all.db --no-figures -o page.html
has "$(cat page.html)" '8 rows, left out of fronts and figures'

# the ways of rows: merge, shards, threads, a designs' view
gives 0 "$memsweep" merge -q copy.db all.db
same "$("$memsweep" digest copy.db)" "$wanted" 'digest of a copy'
for k in 0 1 2; do gives 0 "$memsweep" run spikes.yaml -q --shard $k/3 -o shard$k.db; done
gives 0 "$memsweep" merge -q shards.db shard0.db shard1.db shard2.db
same "$("$memsweep" digest shards.db -s spikes)" "$wanted" 'digest of shards'
gives 0 "$memsweep" verify copy.db
has "$out" '0 damaged'
same "$("$memsweep" query all.db --over workload -c doubt -w 'doubt IS NOT NULL' -f tsv | grep -c 'synth/even: f2')" 8 \
    'doubts of designs'

# a file from before there was the column: read as it is, and widened by the next run
if command -v sqlite3 >/dev/null; then
    cp all.db old.db
    sqlite3 old.db "DROP VIEW spikes; UPDATE points_null SET doubt = NULL; ALTER TABLE points_null DROP COLUMN doubt;
        UPDATE msw_sweep SET view_sql = replace(view_sql, ', p.doubt AS doubt', ''), checksum = NULL;
        DELETE FROM msw_column WHERE name = 'doubt'; UPDATE points_null SET checksum = NULL"
    gives 0 "$memsweep" pareto old.db
    has "$out" 'of 25 points'
    same "$("$memsweep" query old.db -c doubt -f tsv | grep -c .)" 1 'doubts of an old file'
    sed 's/^sweep: .*/sweep: more/; s/x1: .*/x1: {values: [0.05, 0.06, 0.07, 0.08]}/' spikes.yaml >more.yaml
    gives 0 "$memsweep" run more.yaml -o old.db
    has "$out" 'of them doubtful'
    gives 0 "$memsweep" pareto old.db -s more
    has "$out" 'doubtful left out'
    gives 0 "$memsweep" pareto old.db -s spikes
    has "$out" 'of 25 points'
fi
finish
