#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does an array of a user's own program, one task of which is killed, come to the rows that one process
# gives, leave nothing running, and is it only sent off with consent?
source "$(dirname "$0")/common.sh"
export XDG_CONFIG_HOME=$work/config
cat >sim.sh <<'END2'
#!/bin/sh
sleep 0.5
echo "cycles = $(($1 * 3))"
END2
chmod +x sim.sh
cat >sim.yaml <<'END2'
program: sim
parameters: {a: {from: 0, to: 1000, default: 5}}
metrics: {cycles: {goal: lower, read: {key: cycles}}}
command: [./sim.sh, "@a@"]
files: [sim.sh]
END2
printf 'sweep: quick\nmechanism: {program: sim.yaml}\ndesign: grid\nvary: {a: {from: 1, to: 90}}\nobjectives: {minimize: [cycles]}\n' >quick.yaml
gives 2 "$memsweep" submit quick.yaml --array 3 --mem 100
has "$err" 'needs your consent'
[ ! -e results ] || fail "a refused submit left $(ls results)"
gives 0 "$memsweep" run quick.yaml --program sim.yaml -q -t 45 -o one.db

rows() {
    "$memsweep" query "$1" --sql 'SELECT count(*) AS n FROM quick' -f tsv 2>/dev/null | tail -n 1 | grep -E '^[0-9]+$' || echo 0
}
asks quick.yaml "lives: 1"
submit quick.yaml --array 3 --time 5:00 --until-done --program sim.yaml -o results/parts.db
until_rows results/parts.shard-0-of-3.db 2 60
task=$(squeue -h -r -j "$job" -t RUNNING -o %K | head -n 1)
kill -KILL $(pgrep -f -- "--output results/parts.shard-$task-of-3.db")
for ((i = 0; i < 600; i++)); do
    [ -n "$(squeue -h)" ] || break
    sleep 0.2
done
same "$(digest results/parts.db)" "$(digest one.db)" "digest after a killed task"
has "$(cat results/parts.db.*.log)" "done: all 90 points have a row"
gives 0 "$memsweep" query results/parts.db --sql 'SELECT count(DISTINCT key) FROM msw_attempt' -f tsv
same "$(sed 1d <<<"$out")" 90 "points with attempts after the merge"
same "$(supervisors)" 0 "supervisors left"
finish
