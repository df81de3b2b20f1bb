#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 004. Does a run whose database is moved, replaced or removed say so, and where all its rows
# are?
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
sweep slow 'cost: 5ms' 'cost_kind: sleep'

# begin OPTIONS...: starts a run and waits until rows are in its database.
begin() {
    rm -rf x.db* away.db other.db
    "$memsweep" run slow.yaml -q -t 1 -o x.db "$@" >out 2>err &
    pid=$!
    for _ in $(seq 400); do
        kill -0 $pid 2>/dev/null || break
        [ "$("$memsweep" digest x.db 2>/dev/null | sed 's/.*  \([0-9]*\) rows/\1/')" -gt 0 ] \
            2>/dev/null && break
        sleep 0.05
    done
}

# ends_moved: waits; the run must name a file with at least the rows that were safe.
ends_moved() {
    local rescued
    wait $pid
    same $? 3 "exit code after $1"
    has "$(cat err)" "x.db: was moved or replaced during the run"
    rescued=$(echo x.db.rescued-*)
    [ -f "$rescued" ] || {
        fail "after $1: no rescued rows: $(ls)"
        return
    }
    has "$(cat err)" "memsweep merge DATABASE $work/$rescued"
    gives 0 "$memsweep" query "$rescued" --sql 'SELECT count(*) FROM points_null' -f tsv
    [ "$(sed -n 2p out)" -ge "$safe" ] || fail "after $1: $safe rows became $(sed -n 2p out)"
    gives 0 "$memsweep" query "$rescued" --sql 'SELECT reason FROM msw_run' -f tsv
    has "$out" "was moved or replaced"
    # They are as good as any.
    gives 0 "$memsweep" merge -q again.db "$rescued"
    gives 0 "$memsweep" run slow.yaml -q -t 64 -o again.db
    same "$("$memsweep" digest again.db)" "$wanted" "digest after $1"
    rm -f again.db "$rescued"
}

rows() {
    "$memsweep" digest "$1" | sed 's/.*  \([0-9]*\) rows/\1/'
}

gives 0 "$memsweep" run slow.yaml -q -t 64 -o whole.db
wanted=$("$memsweep" digest whole.db)

begin
safe=$(rows x.db)
rm x.db
ends_moved removing
[ ! -e x.db ] || fail "a removed database came back"

begin
safe=$(rows x.db)
mv x.db away.db
ends_moved moving
gives 0 "$memsweep" digest away.db

begin
safe=$(rows x.db)
echo "somebody's text" >other.db
mv other.db x.db
ends_moved replacing
same "$(cat x.db)" "somebody's text" "the file that took the place"
finish
