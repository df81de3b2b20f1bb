#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does an array get from submit to one whole file although a node is lost on the way: with a qos, a
# prologue, and rounds until the sweep is done? Does it end when every point fails, when rounds add
# nothing, and when somebody cancels it?
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
sweep quick 'cost: 40ms' 'cost_kind: sleep'
sed -i 's/^fidelity/submit: {sbatch: comment=mine qos=normal, prologue: echo prologue ran, lives: 1}\nfidelity/' quick.yaml
gives 0 "$memsweep" run quick.yaml -q -t 64 -o one.db

# until_over SECONDS: until no job of ours is in the queue.
until_over() {
    local i
    for ((i = 0; i < $1 * 5; i++)); do
        [ -n "$(squeue -h)" ] || return 0
        sleep 0.2
    done
    fail "jobs are still there: $(squeue)"
}

submit quick.yaml --array 3 --time 5:00 --until-done -o results/parts.db
has "$out" "round 1 of at most 20"
has "$out" "scancel $job"
until_rows results/parts.shard-0-of-3.db 5 60
gives 0 "$memsweep" status results/parts.db
echo "$out"
has "$out" "running"
has "$out" "shard 0 of 3"
has "$out" "progress [%]"
gives 0 "$memsweep" status results/parts.db -f tsv
has "$out" "seconds_left"

# A power cut: of one node the daemon and all that its task runs are gone at once.
read -r task node <<<"$(squeue -h -r -j "$job" -t RUNNING -o '%K %N' | head -n 1)"
kill -KILL $(pgrep -f "^slurmd -N $node ") $(pgrep -f -- "--output results/parts.shard-$task-of-3.db")
scontrol update nodename="$node" state=down reason=killed
slurmd -N "$node" -f "$SLURM_CONF"
scontrol update nodename="$node" state=resume 2>/dev/null
until_over 120
same "$(digest results/parts.db)" "$(digest one.db)" "digest after a lost node"
logs=$(cat results/parts.db.*.log)
has "$logs" "done: all 363 points have a row"
same "$(grep -c '^prologue ran$' <<<"$logs")" "$(($(grep -c ', start ' <<<"$logs") + $(grep -c ', after round ' <<<"$logs")))" "prologues"
gives 0 "$memsweep" status results/parts.db
echo "$out"
has "$out" "complete"
gives 0 "$memsweep" report results/parts.db -o report.html

# A prologue that fails: no round adds a point, so the second is the last.
asks quick.yaml "prologue: '[[ \$SLURM_JOB_NAME == *-next ]]'"
submit quick.yaml --until-done -o results/idle.db
until_over 60
has "$(cat results/idle.db.*.log)" "the prologue failed"
same "$("$memsweep" status results/idle.db | grep -c ' run ')" 2 "rounds that add nothing"

# Points that fail have a row: there is nothing to submit again.
sed -i '/^submit: /d' quick.yaml
sed 's/cost: 40ms/fail_share: 1/' quick.yaml >failing.yaml
submit failing.yaml --until-done -o results/failing.db
until_over 60
has "$(cat results/failing.db.*.log)" "363 of them failed or timed out"
same "$("$memsweep" status results/failing.db | grep -c ' run ')" 1 "rounds of a sweep that fails"

# What somebody cancelled stays so.
submit quick.yaml --until-done -o results/stop.db
until_rows results/stop.db 3 60
scancel "$job"
until_over 60
has "$(cat results/stop.db.*.log)" "job $job was cancelled: no round follows"
finish
