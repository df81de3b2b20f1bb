#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 080. status of an array of jobs said 0 answered until the merge.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
field() {
    gives 0 "$memsweep" status x.db --format tsv
    awk -F '\t' -v name=$1 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
                            NR == 2 { print $c }' out
}
# The database of an array knows the sweep before any point is answered.
gives 0 "$memsweep" run small.yaml -o whole.db -q
gives 0 "$memsweep" run small.yaml -o x.db -q --shard 0/3
mv x.db x.shard-0-of-3.db
gives 0 "$memsweep" run small.yaml -o x.shard-2-of-3.db -q --shard 2/3
sed 's/gain: .*/gain: [1]/' small.yaml >one.yaml
gives 0 "$memsweep" run one.yaml -o x.db -q
gives 0 "$memsweep" run one.yaml -o "x.shard-1-of-3.db.txt" -q # no shard by its name
same "$(field answered)" 121 "answers of another plan"
rm x.db
gives 0 "$memsweep" merge x.db x.shard-0-of-3.db
first=$(field answered)
[ "$first" -gt 121 ] && [ "$first" -lt 363 ] || fail "answered with two shards: $first"
gives 0 "$memsweep" status x.db
has "$out" "(with what 2 shards beside it hold, not merged yet)"
before=$(md5sum x.*)
gives 0 "$memsweep" run small.yaml -o x.shard-1-of-3.db -q --shard 1/3
same "$(field answered)" 363 "answered with all shards"
same "$(field state)" "complete, to be merged" "state"
same "$(md5sum $(echo "$before" | awk '{ print $2 }'))" "$before" "files that were looked at"
gives 0 "$memsweep" merge x.db x.shard-1-of-3.db x.shard-2-of-3.db
same "$(field answered)" 363 "answered after the merge"
same "$(field state)" complete "state after the merge"
gives 0 "$memsweep" status x.db
lacks "$out" "not merged yet"
finish
