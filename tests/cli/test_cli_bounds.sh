#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do rows say how near they came to what their resources allow, and to which?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

cat >walkers.yaml <<'END'
sweep: walkers
mechanism: neummu
workloads: [workloads/npu/tiles/streaming.csv]
fidelity: full
preset: iommu
vary:
  ptw_count: [1, 1024]
  walk_level_cycles: [1, 1000]
END
"$memsweep" run walkers.yaml -q -o all.db || fail "run"
out=$("$memsweep" query all.db -f tsv -c 'ptw_count, walk_level_cycles, bound_share > 0.9, bound_resource')
has "$out" "$(printf '1\t1000\t1\twalkers')"
has "$out" "$(printf '1024\t1\t0\tarray')"
same "$("$memsweep" query all.db -f tsv -c point -w "bound_share > 1 OR bound_share <= 0" | wc -l)" 1 "rows that beat a bound"
same "$("$memsweep" query all.db -f tsv -c point -w "bound_resource = 'walkers'" | tail -n +2 | wc -l)" 1 "filter"

# The share is the largest bound over the cycles; the resource is worked out, never stored.
same "$("$memsweep" query all.db -f tsv -c point -w \
    'abs(bound_share * cycles - max(least_array, least_issue, least_memory, least_walkers)) > 1e-6 * cycles' | wc -l)" 1 "share"
same "$(grep -ac bound_resource all.db)" 0 "mentions in the file"

# Other mechanisms have no such column; a sweep's own column of that name stays what it says.
sed 's/^sweep: .*/sweep: own/; $a derive: {bound_resource: 40 + 2}' walkers.yaml >own.yaml
"$memsweep" run own.yaml -q -o own.db || fail "run with a derived column of that name"
same "$("$memsweep" query own.db -f tsv -c bound_resource | sort -u | head -n 1)" 42 "own column"
printf 'sweep: none\nmechanism: "null"\nworkloads: [synth/small]\nvary: {gain: [1, 2]}\n' >none.yaml
"$memsweep" run none.yaml -q -o none.db || fail "run of null"
out=$("$memsweep" query none.db -c bound_resource 2>&1) && fail "a column of null"
has "$out" "no parameter or metric 'bound_resource'"
finish
