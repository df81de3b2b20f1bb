#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 005. Does a run store what it has when the terminal goes away, and say so when a file may
# not grow?
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
sweep slow 'cost: 5ms' 'cost_kind: sleep'
gives 0 "$memsweep" run slow.yaml -q -t 64 -o whole.db
wanted=$("$memsweep" digest whole.db)

# begin COMMAND...: starts it in the background; waits until the run holds its file.
begin() {
    "$@" >out 2>err &
    pid=$!
    appears x.db
    caught $pid
}

begin "$memsweep" run slow.yaml -t 1 -o x.db
kill -HUP $pid
wait $pid
same $? 1 "exit code after a hangup"
has "$(cat err)" "interrupted: "
gives 0 "$memsweep" query x.db --sql 'SELECT reason FROM msw_run' -f tsv
has "$out" "interrupted"
gives 0 "$memsweep" run slow.yaml -q -t 64 -o x.db
same "$("$memsweep" digest x.db)" "$wanted" "digest after a hangup"

# Under nohup it goes on.
rm x.db
begin nohup "$memsweep" run slow.yaml -q -t 4 -o x.db
kill -HUP $pid
wait $pid
same $? 0 "exit code of a run under nohup"
same "$("$memsweep" digest x.db)" "$wanted" "digest of a run under nohup"

# A file that may not grow is an error with words; what was stored stays.
rm x.db
sweep small
gives 0 "$memsweep" run small.yaml -q -o x.db
kept=$("$memsweep" digest x.db -s small)
(
    ulimit -f $(($(stat -c %s x.db) / 1024 + 8))
    exec "$memsweep" run slow.yaml -q -t 64 -o x.db >out 2>err
)
same $? 3 "exit code at a limit on file size"
has "$(cat err)" "limits on file sizes"
same "$("$memsweep" digest x.db -s small)" "$kept" "digest at a limit on file size"
gives 0 "$memsweep" run slow.yaml -q -t 64 -o x.db
same "$("$memsweep" digest x.db -s slow)" "$wanted" "digest after a limit on file size"
finish
