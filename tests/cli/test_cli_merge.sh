#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do shards, joined in any order, equal one run? Are answers that differ told and refused?
source "$(dirname "$0")/common.sh"
sweep quick 'x3: 0'
gives 0 "$memsweep" run quick.yaml -q
wanted=$("$memsweep" digest quick)

# sources: bytes, times and names of all that is in the folder that merges read from.
sources() {
    (cd results && cksum -- * && stat -c '%n %s %y' -- * .)
}
for i in 0 1 2 3 4; do
    gives 0 "$memsweep" run quick.yaml -t 1 --shard $i/5
    has "$out" "results/quick.shard-$i-of-5.db"
done
total=0
for i in 0 1 2 3 4; do
    rows=$("$memsweep" digest results/quick.shard-$i-of-5.db | sed 's/.* \([0-9]*\) rows/\1/')
    [ "$rows" -gt 30 ] || fail "shard $i has $rows rows"
    total=$((total + rows))
done
same $total 363 "rows of all shards"
before=$(sources)
for order in "0 1 2 3 4" "4 2 0 3 1" "3 3 4 1 0 2 3"; do
    rm -f all.db
    # shellcheck disable=SC2046,SC2086 # words
    gives 0 "$memsweep" merge all.db $(printf 'results/quick.shard-%s-of-5.db ' $order)
    same "$("$memsweep" digest all.db)" "$wanted" "digest of shards $order"
done
gives 0 "$memsweep" merge all.db results/quick.db
has "$out" "0 rows added"
same "$(sources)" "$before" "the folder of the sources"
if command -v sqlite3 >/dev/null; then
    same "$(sqlite3 all.db 'SELECT group_concat(id) FROM msw_run')" 1,2,3,4,5,6 "numbers of the runs"
    same "$(sqlite3 all.db 'SELECT min(id), max(id), count(*) FROM points_null')" "1|363|363" \
        "numbers of the rows"
    same "$(sqlite3 results/quick.shard-2-of-5.db 'SELECT DISTINCT run FROM points_null')" 3 \
        "number of a shard's run"
fi
same "$("$memsweep" digest all.db)" "$wanted" "digest after merging once more"
gives 0 "$memsweep" run quick.yaml -o all.db
has "$out" "none to evaluate"

# A merge that is killed can be done again.
kills=0
for i in $(seq "${MEMSWEEP_KILLS:-5}"); do
    rm -f killed.db*
    # shellcheck disable=SC2046 # words
    "$memsweep" merge -q killed.db $(printf 'results/quick.shard-%s-of-5.db ' 0 1 2 3 4) &
    sleep 0.0$((i % 5))
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    [ $? -ne 137 ] || kills=$((kills + 1))
    # shellcheck disable=SC2046 # words
    gives 0 "$memsweep" merge -q killed.db $(printf 'results/quick.shard-%s-of-5.db ' 0 1 2 3 4)
    same "$("$memsweep" digest killed.db)" "$wanted" "digest of a merge killed once"
done
[ $kills -ge 1 ] || fail "no kill hit a merge"
same "$(sources)" "$before" "the folder of the sources"

# Answers that differ.
command -v sqlite3 >/dev/null || finish
cp all.db other.db
# Made a file of before there were checksums: else the row would count as damaged.
sqlite3 other.db 'UPDATE points_null SET checksum = NULL; UPDATE msw_run SET revision = NULL, checksum = NULL;
    UPDATE points_null SET f1 = f1 + 0.5 WHERE id = 17'
gives 3 "$memsweep" merge all.db other.db
has "$err" "two answers for the point with key"
has "$err" "f1 is "
has "$err" "in row 17 of all.db"
has "$err" "in row 17 of other.db"
same "$("$memsweep" digest all.db)" "$wanted" "digest after a merge that was refused"
gives 0 "$memsweep" merge --conflicts keep all.db other.db
same "$("$memsweep" digest all.db)" "$wanted" "digest after keeping"
gives 0 "$memsweep" merge all.db other.db --conflicts replace
same "$("$memsweep" digest all.db)" "$("$memsweep" digest other.db)" "digest after replacing"
sqlite3 other.db 'UPDATE points_null SET f1 = f1 * (1 + 1e-12) WHERE id = 18'
gives 0 "$memsweep" merge all.db other.db


# The source of a refused merge, and one that is read-only in a read-only folder for who is not root.
mkdir locked
cp other.db locked/
chmod 444 locked/other.db
chmod 555 locked
before=$(cksum locked/* && stat -c '%n %s %y' locked locked/*)
as=()
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    mkdir theirs && chmod 777 theirs && chmod 711 .
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    "${as[@]}" test -x "$memsweep" || as=()
fi
[ -d theirs ] || mkdir theirs
gives 0 "${as[@]}" "$memsweep" merge theirs/new.db locked/other.db
same "$("$memsweep" digest theirs/new.db)" "$("$memsweep" digest other.db)" "digest by way of a locked file"
same "$(cksum locked/* && stat -c '%n %s %y' locked locked/*)" "$before" "the locked folder"
chmod 755 locked

# Shards that a merge has taken over go, once all of them are added; what is not all added stays.
mkdir gone
cp results/quick.shard-*.db gone/
cp other.db gone/differs.db
gives 3 "$memsweep" merge --remove part.db gone/*shard-0* gone/*shard-1* gone/missing.db
gives 3 "$memsweep" merge --remove all.db results/quick.db gone/differs.db
gives 2 "$memsweep" merge --remove --conflicts keep all.db gone/differs.db
has "$err" 'not all that gone/differs.db holds is added'
gives 2 "$memsweep" merge --remove gone/differs.db gone/differs.db
same "$(ls gone | wc -l)" 6 "files after merges that were refused"
gives 0 "$memsweep" merge --remove taken.db gone/*shard-* gone/*shard-0*
same "$(ls gone)" differs.db "files after a merge that removes"
same "$("$memsweep" digest taken.db)" "$wanted" "digest of what was taken over"

# What cannot be.
gives 2 "$memsweep" run quick.yaml --shard 5/5
has "$err" "0 <= I < K"
gives 2 "$memsweep" merge all.db
has "$err" "<from> is missing"
gives 3 "$memsweep" merge all.db nothing.db

# A scratch folder: the results are where they were asked for, and only there.
gives 0 "$memsweep" run quick.yaml -q -o far/quick.db --scratch near
same "$("$memsweep" digest far/quick.db)" "$wanted" "digest by way of a scratch folder"
sed -i 's/gain: \[1, 2, 3\]/gain: [1, 2, 3, 4]/' quick.yaml
gives 0 "$memsweep" run quick.yaml -o far/quick.db --scratch near
has "$out" "121 to evaluate"
finish
