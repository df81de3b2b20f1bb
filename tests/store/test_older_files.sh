#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 791. Are files from before there were checksums read as they are, merged both ways with
# newer ones, and said to be not covered? And is a number of the schema that nobody wrote refused?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cp "$MEMSWEEP_SOURCE/tests/golden/databases/null.db" old.db
before=$(cksum <old.db)
gives 0 "$memsweep" verify old.db
has "$out" "12 points, 12 rows: 0 damaged, 0 lost, 12 not covered"
gives 0 "$memsweep" digest old.db -s null-store@analytic
wanted=$out
same "$(cksum <old.db)" "$before" "an old file that was read"

printf 'sweep: fresh\nmechanism: null\nworkloads: [synth/small]\nvary: {gain: [1, 2, 3]}\n' >fresh.yaml
gives 0 "$memsweep" run fresh.yaml -q -o new.db
gives 0 "$memsweep" digest new.db
fresh=$out
cp new.db both.db
gives 0 "$memsweep" merge -q both.db old.db
same "$(cksum <old.db)" "$before" "an old file that was merged"
cp old.db migrated.db
gives 0 "$memsweep" merge -q migrated.db new.db
for file in both migrated; do
    gives 0 "$memsweep" verify $file.db
    has "$out" "fresh: 3 points, 3 rows: 0 damaged, 0 lost, 0 not covered"
    has "$out" "null-store@analytic: 12 points, 12 rows: 0 damaged, 0 lost, 12 not covered"
    same "$("$memsweep" digest $file.db -s null-store@analytic)" "$wanted" "$file: digest of old rows"
    same "$("$memsweep" digest $file.db -s fresh)" "$fresh" "$file: digest of new rows"
done

# A column that has no neutral value is added to a file from before there were checksums.
if command -v sqlite3 >/dev/null; then
    for way in run merge; do
        cp old.db narrow.db
        sqlite3 narrow.db "SELECT 'DROP VIEW \"' || name || '\";' FROM sqlite_master WHERE type = 'view'" |
            sqlite3 narrow.db
        sqlite3 narrow.db "ALTER TABLE points_null DROP COLUMN gain"
        case $way in
        run) gives 0 "$memsweep" run fresh.yaml -q -o narrow.db ;;
        merge) gives 0 "$memsweep" merge -q narrow.db new.db ;;
        esac
        same "$("$memsweep" digest narrow.db -s fresh)" "$fresh" "$way: digest beside old rows"
    done
fi

# A row whose checksum was taken away is not one of an older file.
if command -v sqlite3 >/dev/null; then
    sqlite3 both.db "UPDATE points_null SET checksum = NULL, gain = 7 WHERE id = 2"
    gives 3 "$memsweep" verify both.db
    has "$out" "fresh: point 1: row 2 is damaged"
    sqlite3 new.db "UPDATE points_null SET cycles = 1 WHERE id = 3"
    gives 0 "$memsweep" merge -q whole.db new.db
    has "$err" "1 rows are damaged and left out"
    gives 0 "$memsweep" run fresh.yaml -q -o whole.db
    same "$("$memsweep" digest whole.db)" "$fresh" "digest after a damaged row was left out"
fi

printf '\200\0\0\003' | dd of=both.db bs=1 seek=60 conv=notrunc status=none
gives 3 "$memsweep" run fresh.yaml -q -o both.db
has "$err" "schema"
finish
