#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do commands behave in pipes, on full disks, on a terminal, with files that cannot be read or written?
source "$(dirname "$0")/common.sh"
sweep quick 'x3: 0'
gives 0 "$memsweep" run quick.yaml

# A reader that goes away is no error.
for words in "query quick --all" "export quick --all" "man" "completion bash" "list parameters"; do
    # shellcheck disable=SC2086
    { "$memsweep" $words 2>err; echo $? >code; } | head -n 1 >/dev/null
    [ "$(cat code)" -eq 0 ] || fail "$words | head: exit code $(cat code)"
    [ -s err ] && fail "$words | head: $(cat err)"
done
# Nor does it stop a run.
{ "$memsweep" run quick.yaml -o piped.db 2>err; echo $? >code; } | true
[ "$(cat code)" -eq 0 ] || fail "run | true: exit code $(cat code)"
same "$("$memsweep" digest piped.db)" "$("$memsweep" digest quick)" "digest of a run into a closed pipe"
if [ -w /dev/full ]; then
    "$memsweep" query quick --all >/dev/full 2>err
    [ $? -eq 3 ] || fail "a full disk goes unnoticed"
    "$memsweep" man >/dev/full 2>err
    [ $? -eq 3 ] || fail "a full disk goes unnoticed by man"
fi

# Files that are none, are something else, may not be written.
gives 3 "$memsweep" query nothing.db
gives 3 "$memsweep" digest nothing.db
echo "not a database, but long enough to be looked at as one" >text.db
gives 3 "$memsweep" query text.db
gives 3 "$memsweep" run quick.yaml -o text.db
gives 3 "$memsweep" run quick.yaml -o text.db/below.db
gives 3 "$memsweep" status text.db
: >folder.yaml
gives 2 "$memsweep" check folder.yaml
mkdir empty
MEMSWEEP_RESULTS=empty gives 3 "$memsweep" status
has "$err" "no database in empty/"
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    chmod 555 locked
    gives 3 "$memsweep" run quick.yaml -o locked/a.db
fi

# A reader needs no right to write, and changes nothing.
before=$(md5sum <results/quick.db)
chmod 444 results/quick.db
gives 0 "$memsweep" query quick
gives 0 "$memsweep" pareto quick
chmod 644 results/quick.db
same "$(md5sum <results/quick.db)" "$before" "the file after reading"
[ "$(ls results)" = quick.db ] || fail "reading left files: $(ls results)"

# Two writers: the second is refused.
sweep busy 'cost: 20ms' 'cost_kind: sleep'
"$memsweep" run busy.yaml -t 1 >/dev/null 2>&1 &
pid=$!
appears results/busy.db.lock
caught $pid
gives 3 "$memsweep" run busy.yaml -t 1
has "$err" "$pid"
gives 0 "$memsweep" status busy
kill -INT $pid
wait $pid

# Data folders: beside the program in a source tree, or where MEMSWEEP_DATA says.
mkdir -p data/sweeps
sed 's/sweep: quick/sweep: mine/' quick.yaml >data/sweeps/mine.yaml
gives 2 "$memsweep" check mine
MEMSWEEP_DATA=data gives 0 "$memsweep" check mine
has "$out" "mine: good"

# On a terminal: a bar, and no line wider than the terminal.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "stty cols 60; '$memsweep' run quick.yaml -o tty.db" /dev/null </dev/null >tty
    has "$(cat tty)" "[########################]"
    script -qec "stty cols 60; '$memsweep' query tty.db -c 'x1,x2,gain,cycles,busy,stall,work,rate,slowdown,f1,f2' -n 5" \
        /dev/null </dev/null | tr -d '\r' >tty
    has "$(cat tty)" "not shown for lack of width"
    sed '/^(3 rows)/,$d' tty | awk 'length($0) > 60 { exit 1 }' || fail "wider than the terminal"
fi
finish
