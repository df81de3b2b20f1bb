#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 010. A scratch folder, or the place of the database, that takes nothing: is it named, and
# are all rows still there for the next run?
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
sweep quick
gives 0 "$memsweep" run quick.yaml -q -o whole.db
wanted=$("$memsweep" digest whole.db)
gives 2 "$memsweep" run quick.yaml -q -o x.db --scratch ''
has "$err" "--scratch: found nothing"
gives 3 "$memsweep" run quick.yaml -q -o x.db --scratch quick.yaml
has "$err" "quick.yaml"
gives 3 "$memsweep" run quick.yaml -q -o x.db --scratch /proc/none
has "$err" "/proc/none"
[ -s quick.yaml ] && [ ! -e x.db ] || fail "something was removed or made"

# Limits on file size stand for a full disk: the copy fits, what is copied back does not.
sweep large
sed -i 's/count: 11/count: 41/' large.yaml
cp whole.db x.db
mkdir tmp
(
    ulimit -f $(($(stat -c %s x.db) / 1024 + 40))
    exec "$memsweep" run large.yaml -q -o x.db --scratch tmp >out 2>err
)
same $? 3 "exit code at a limit on file size"
same "$("$memsweep" digest x.db -s quick)" "$wanted" "digest at a limit on file size"
gives 0 "$memsweep" run large.yaml -q -o x.db --scratch tmp
gives 0 "$memsweep" digest x.db -s large
has "$out" "5043 rows"
same "$(ls -A tmp)" "" "what is left in the scratch folder"

# A disk that is full where the database is to be, where such a disk can be made.
mkdir small
unshare -m sh -c 'mount -t tmpfs -o size=60k none small' 2>/dev/null || finish
gives 3 unshare -m sh -c 'mount -t tmpfs -o size=60k none small && exec "$@"' - \
    "$memsweep" run quick.yaml -q -o small/x.db --scratch tmp
has "$err" "all rows are in $work/tmp/memsweep-"
has "$err" "full"
copy=$(echo tmp/memsweep-*/x.db)
same "$("$memsweep" digest "$copy")" "$wanted" "digest of the copy"
finish
