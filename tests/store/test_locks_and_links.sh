#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 011. Is a lock only ever written to a file that is a lock, and is there one lock for all
# names of a database?
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
sweep quick
sweep slow 'cost: 5ms' 'cost_kind: sleep'
gives 0 "$memsweep" run quick.yaml -q -o x.db
wanted=$("$memsweep" digest x.db -s quick)
cp x.db other.db

# Files of others where the lock belongs: refused by name, and untouched.
echo "precious words" >precious
ln -s precious x.db.lock
gives 3 "$memsweep" run quick.yaml -o x.db
has "$err" "x.db.lock"
has "$err" "symbolic link"
rm x.db.lock
ln -s nothing x.db.lock
gives 3 "$memsweep" run quick.yaml -o x.db
[ ! -e nothing ] || fail "a file was made behind a link"
rm x.db.lock
ln precious x.db.lock
gives 3 "$memsweep" run quick.yaml -o x.db
has "$err" "hard links"
rm x.db.lock
cp precious x.db.lock
gives 3 "$memsweep" run quick.yaml -o x.db --take-over
has "$err" "no lock of memsweep"
cmp precious x.db.lock || fail "a file of somebody else was changed"
rm x.db.lock
mkdir x.db.lock
gives 3 "$memsweep" run quick.yaml -o x.db
rmdir x.db.lock
mkfifo x.db.lock
gives 3 "$memsweep" run quick.yaml -o x.db
rm x.db.lock
same "$(cat precious)" "precious words" "a file behind a lock"

# What a killed run may leave of a lock is no obstacle.
for left in '' 'mem' 'memsweep lock: ' "memsweep lock: $(hostname) 999999999 2026-01-01T00:00:00Z
copy 1 2 quick.yaml
"; do
    printf '%s' "$left" >x.db.lock
    gives 0 "$memsweep" run quick.yaml -q -o x.db
    [ ! -e x.db.lock ] || fail "a lock stayed: '$left'"
done
[ -s quick.yaml ] || fail "a file that a lock names was removed"

# One lock for all names: links, other spellings.
mkdir far
ln -s ../x.db far/link.db
ln -s . here
"$memsweep" run slow.yaml -q -t 1 -o x.db >out-slow 2>&1 &
pid=$!
appears x.db.lock
caught $pid
for name in far/link.db here/x.db "$work/x.db" ./far/../x.db; do
    gives 3 "$memsweep" run quick.yaml -q -o "$name"
    has "$err" "process $pid on"
    gives 3 "$memsweep" run quick.yaml -q -o "$name" --scratch far
    has "$err" "process $pid on"
    gives 3 "$memsweep" merge -q "$name" other.db
    has "$err" "process $pid on"
done
gives 0 "$memsweep" status far/link.db
has "$out" "running"
kill -TERM $pid
wait $pid
same $? 1 "exit code of the stopped run"

# A link to a database that is not there yet makes that one.
ln -s new.db to-new.db
gives 0 "$memsweep" run quick.yaml -q -o to-new.db
[ -L to-new.db ] && [ -s new.db ] || fail "no database behind a link to nothing"

# Two names of one file cannot share a lock.
ln x.db second.db
for name in x.db second.db; do
    gives 3 "$memsweep" run quick.yaml -o $name
    has "$err" "$name: the file has 2 names (hard links)"
    gives 3 "$memsweep" run quick.yaml -o $name --scratch far
    gives 3 "$memsweep" merge $name new.db
done
gives 0 "$memsweep" digest second.db -s quick
same "$("$memsweep" digest x.db -s quick)" "$wanted" "digest of the database"
rm second.db

# Nor does a file bound to a second folder.
touch bound.db
if unshare -m true 2>/dev/null; then
    gives 3 unshare -m sh -c 'mount --bind x.db bound.db && exec "$@"' - \
        "$memsweep" run quick.yaml -o bound.db
    has "$err" "mount"
fi

# Names that mean something to SQLite are names of files.
gives 0 "$memsweep" run quick.yaml -q -o :memory:
[ -s :memory: ] || fail "no file ':memory:'"
gives 0 "$memsweep" digest ./:memory:
gives 0 "$memsweep" run quick.yaml -q -o "file:y.db?mode=memory"
[ -s "file:y.db?mode=memory" ] || fail "no file of that name"
finish
