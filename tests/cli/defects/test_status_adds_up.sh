#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 774. Does status add up what shards hold and how fast they are written, and is it not
# misled by shards that are cut short, empty, of another array, or strangely named?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -q -o 'a b.db' --shard 0/3
field() {
    gives 0 "$memsweep" status 'a b.db' --format tsv
    awk -F '\t' -v name=$1 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
                            NR == 2 { print $c }' out
}
own=$(field answered)
gives 0 "$memsweep" run small.yaml -q -o 'a b.shard-0-of-3.db' --shard 0/3
gives 0 "$memsweep" run small.yaml -q -o 'a b.shard-1-of-3.db' --shard 1/3
both=$(field answered)
[ "$both" -gt "$own" ] && [ "$both" -lt 363 ] || fail "answered: $own, then $both"
same "$(field progress)" "$(awk -v n="$both" 'BEGIN { printf "%g", int(1000 * n / 363) / 10 }')" progress
head -c 5000 'a b.shard-1-of-3.db' >'a b.shard-2-of-3.db' # cut short
: >'a b.shard-7-of-9.db'
same "$(field answered)" "$both" "answered beside a shard that was cut short"
gives 0 "$memsweep" status 'a b.db'
has "$out" "shards cannot be read: just being made, or broken" 
gives 0 "$memsweep" run small.yaml -q -o 'a b.shard-0-of-2.db' --shard 0/2
same "$(field answered)" "$both" "answered beside an array of another size"
gives 0 "$memsweep" status 'a b.db'
has "$out" "arrays of different sizes"

# A shard that is being written: its rate and what is left.
sweep slow 'cost: 20ms' 'cost_kind: sleep'
gives 0 "$memsweep" run slow.yaml -q -t 60 -o s.db --shard 0/60
"$memsweep" run slow.yaml -q -t 1 -o s.shard-1-of-2.db --shard 1/2 &
run=$!
for ((i = 0; i < 200; i++)); do
    "$memsweep" status s.db | grep -q 'shard 1 of 2' && break
    sleep 0.05
done
for ((i = 0; i < 200; i++)); do
    gives 0 "$memsweep" status s.db
    [[ $out == *rows_per_s* ]] && break
    sleep 0.05
done
kill -KILL $run
wait $run 2>/dev/null
has "$out" "rows_per_s"
has "$out" "left"
has "$out" "running"
gives 0 "$memsweep" status s.db
lacks "$out" "running"
finish
