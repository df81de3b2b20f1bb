#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a run whose ranks are killed keep what was committed, and go on from there? MEMSWEEP_KILLS is
# the number of kills at random moments beyond the three of rank 1, at most 100.
source "$(dirname "$0")/common.sh"
sweep killed 'cost: 8ms' 'cost_kind: sleep'
sed -i 's/count: 11/count: 31/' killed.yaml
gives 0 "$memsweep" run killed.yaml -q -t 64 -o whole.db
wanted=$(digest whole.db)

# await_rows MORE: waits until the run started last has committed so many rows more than `before`, or
# has ended: under load a launcher alone takes seconds.
await_rows() {
    while kill -0 $shell 2>/dev/null && [ "$(rows results/killed.db)" -lt $((before + $1)) ]; do
        sleep 0.05
    done
}

# kill_rank RANK SECONDS: starts the run, kills a rank after a while; no committed row may go.
kill_rank() {
    local before after pid
    begin 4 run killed.yaml -q -t 1
    sleep "$2"
    before=$(rows results/killed.db)
    pid=$(process "$1")
    [ -z "$pid" ] || kill -KILL "$pid"
    await_end
    after=$(rows results/killed.db)
    [ "$after" -ge "$before" ] || fail "rank $1 killed after $2 s: $before rows became $after"
}

# The launcher ends the other ranks, too, and rank 0 may be too slow to note what it said.
noted() {
    out=$("$memsweep" query killed --sql 'SELECT reason FROM msw_run' -f tsv)
    [[ $out == *"rank 1 (process"*"is gone"* ]]
}
for ((kill = 1; kill <= 3 || (kill <= 10 && bad == 0); kill++)); do
    [ $kill -le 3 ] || ! noted || break
    before=$(rows results/killed.db)
    begin 4 run killed.yaml -q -t 1
    await_rows 1
    kill -KILL "$(process 1)"
    await_end
    has "$(cat err)" "rank 1"
done
noted || fail "no run of $((kill - 1)) noted which rank was lost: $out"
RANDOM=7
kills=${MEMSWEEP_KILLS:-3}
for ((kill = 0; kill < (kills < 100 ? kills : 100); kill++)); do
    kill_rank $((RANDOM % 4)) "0.$((RANDOM % 9))$((RANDOM % 10))"
    [ ! -s results/killed.db ] || sound results/killed.db
    # A run that was nearly done is started afresh.
    [ "$(rows results/killed.db)" -lt 2800 ] || rm -f results/killed.db*
done
gives 0 ranks 4 run killed.yaml -q -t 16
same "$(digest killed)" "$wanted" "digest after kills"
sound results/killed.db

# A request to stop, to the launcher or to one rank: rows are kept and the exit code says so.
for whom in launcher rank; do
    rm -f results/killed.db
    before=0
    begin 4 run killed.yaml -t 1
    await_rows 1
    if [ $whom = launcher ]; then kill -USR1 "$launcher"; else kill -TERM "$(process 2)"; fi
    await_end
    code=$?
    [ $code -eq 1 ] || fail "stopping the $whom: exit code $code"
    has "$(cat err)" "interrupted: "
    [ "$(rows results/killed.db)" -gt 0 ] || fail "stopping the $whom: nothing was stored"
done
finish
