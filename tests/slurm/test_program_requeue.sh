#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a job of a user's own program that is warned end what runs without a row and without a folder,
# queue itself again, still with consent, and come to the rows of one that was never interrupted?
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
printf 'sweep: quick\nmechanism: {program: sim.yaml}\ndesign: grid\nvary: {a: {from: 1, to: 24}}\nobjectives: {minimize: [cycles]}\n' >quick.yaml
gives 0 "$memsweep" run quick.yaml --program sim.yaml -q -t 24 -o one.db

rows() {
    "$memsweep" query "$1" --sql 'SELECT count(*) AS n FROM quick' -f tsv 2>/dev/null | tail -n 1 | grep -E '^[0-9]+$' || echo 0
}
asks quick.yaml "warning: 30"
submit quick.yaml --time 1:00 --program sim.yaml
until_rows results/quick.db 4 60
scancel --batch --signal=USR1 "$job"
until_state "$job" COMPLETED 200
said=$(cat "$(log results/quick.db "$job")")
echo "$said"
has "$said" "interrupted: "
has "$said" "the job goes back to the queue"
has "$said" "start 2 of at most 20"
same "$(digest quick)" "$(digest one.db)" "digest after a requeue"
gives 0 "$memsweep" query quick --sql 'SELECT count(DISTINCT key), count(*) FROM msw_attempt' -f tsv
# The first point of each start is run twice.
same "$(sed 1d <<<"$out" | tr '\t' ' ')" '24 26' "points and attempts"
[ ! -e results/quick.runs ] || fail "left behind: $(find results/quick.runs)"
same "$(supervisors)" 0 "supervisors left"
finish
