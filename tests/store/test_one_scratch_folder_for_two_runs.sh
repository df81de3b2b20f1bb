#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 002. Do two runs at a time with one scratch folder and databases of one name keep all their
# rows?
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
mkdir a b tmp
for name in a b; do
    sweep $name 'cost: 3ms' 'cost_kind: sleep'
    gives 0 "$memsweep" run $name.yaml -q -t 64 -o whole-$name.db
done
gain=2
for name in a b; do
    "$memsweep" run $name.yaml -q -t $((2 * gain)) -o $name/x.db --scratch tmp >out-$name 2>&1 &
    pids="${pids:-} $!"
    gain=4
done
for pid in $pids; do
    wait "$pid" || fail "a run ended with $? ($(cat out-a out-b))"
done
for name in a b; do
    same "$("$memsweep" digest $name/x.db)" "$("$memsweep" digest whole-$name.db)" "digest of $name"
done
same "$(ls -A tmp)" "" "what is left in the scratch folder"

# One database: the second run is refused, and the first goes on.
"$memsweep" run a.yaml -q -t 2 -o c.db --scratch tmp >out-a 2>&1 &
pid=$!
for _ in $(seq 200); do
    [ ! -s c.db.lock ] || break
    sleep 0.05
done
gives 3 "$memsweep" run a.yaml -q -o c.db --scratch tmp
has "$err" "process $pid on"
gives 3 "$memsweep" run a.yaml -q -o c.db --scratch .
wait "$pid" || fail "the first run ended with $? ($(cat out-a))"
same "$("$memsweep" digest c.db)" "$("$memsweep" digest whole-a.db)" "digest of the first"

# What stands in the place of the folder of a copy, and is not one, is refused by name.
"$memsweep" run a.yaml -q -t 2 -o d.db --scratch tmp >out-a 2>&1 &
pid=$!
for _ in $(seq 200); do
    folder=$(echo tmp/memsweep-*)
    [ ! -d "$folder" ] || break
    sleep 0.05
done
same "$(stat -c %a "$folder")" 700 "permissions of the folder of a copy"
kill -KILL $pid
wait $pid
chmod 755 "$folder"
gives 3 "$memsweep" run a.yaml -q -o d.db --scratch tmp
has "$err" "other users may enter it"
mv "$folder" kept
ln -s "$work/kept" "$folder"
gives 3 "$memsweep" run a.yaml -q -o d.db --scratch tmp
has "$err" "it is not a folder"
rm "$folder"
echo mine >"$folder"
gives 3 "$memsweep" run a.yaml -q -o d.db --scratch tmp
same "$(cat "$folder")" mine "a file in the way"
rm "$folder"
chmod 700 kept
mv kept "$folder"
rm -f "$folder"/*
echo "my own words, and more of them than a header has" >"$folder/d.db"
gives 3 "$memsweep" run a.yaml -q -o d.db --scratch tmp
has "$err" "did not make"
has "$(cat "$folder/d.db")" "my own words"
finish
