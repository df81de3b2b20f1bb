#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 773. Without a cluster: does a dry run explain itself and submit nothing, does a job refuse
# a sweep that is not the one submitted, do logs sort, does a submit that fails take its jobs back,
# does the next one see jobs that a killed one left, and do rounds end where they should?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
sweep small
mkdir bin
cat >bin/sbatch <<'B'
#!/bin/sh
[ -e stop ] && [ "$(cat n 2>/dev/null)" = "$(cat stop)" ] && exit 1
[ -e hang ] && { echo there >hanging; exec sleep 60; }
id=$(($(cat n 2>/dev/null || echo 40) + 1))
echo $id >n
echo $id
B
printf '#!/bin/sh\necho "$@" >>cancelled\n' >bin/scancel
printf '#!/bin/sh\nexit 0\n' >bin/scontrol
printf '#!/bin/sh\ncat queue 2>/dev/null || true\n' >bin/squeue
chmod +x bin/*
PATH=$work/bin:$PATH

gives 0 "$memsweep" submit small.yaml -o x.db --array 12 --until-done --dry-run
has "$out" "# sweep     small: 363 points, 363 to compute, digest "
has "$out" "# job       an array of 12 tasks, each 1 node x 1 rank x 1 CPU, at most 1:00:00;"
has "$out" "#SBATCH --output=x.db.%8A_%2a.log"
has "$out" "export MEMSWEEP_ROUND=1,0,0,JOB,"
digest=$("$memsweep" check small.yaml | grep -oE '[0-9a-f]{32}')
gives 0 bash -n out
[ ! -e n ] && [ ! -e x.db ] || fail "a dry run left something"
gives 0 "$memsweep" run small.yaml -q -o x.shard-3-of-12.db --shard 3/12
gives 0 "$memsweep" run small.yaml -q -o x.db --shard 2/12
gives 0 "$memsweep" submit small.yaml -o x.db --array 12 --dry-run
lacks "$out" "363 to compute"

# What a job runs, of the sweep it was submitted for and of another one.
printf 'gain\n1\n2\n' >points.csv
printf 'sweep: list\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\ndesign: {kind: list, file: points.csv}\n' >list.yaml
gives 0 "$memsweep" submit list.yaml -o l.db
expected=$(grep -oE -- '--expect [0-9a-f]{32}' l.db.job.sh)
gives 0 "$memsweep" run list.yaml -o l.db -q $expected
echo 3 >>points.csv
gives 2 "$memsweep" run list.yaml -o l.db $expected
has "$err" "list.yaml is not the sweep that was asked for"
has "$err" "submit it again"

# The second of three jobs is not taken: the first one goes, too. The queue is full of it later.
rm -f n cancelled
echo 41 >stop
gives 3 "$memsweep" submit small.yaml -o y.db --array 2
same "$(cat cancelled)" 41 "jobs that were taken back"
rm stop n
touch hang
"$memsweep" submit small.yaml -o y.db --array 2 >out 2>err &
appears hanging
kill -KILL $!
wait $! 2>/dev/null
rm hang
gives 0 "$memsweep" submit small.yaml -o y.db
echo "41 PENDING JobHeldUser" >queue
gives 0 "$memsweep" submit small.yaml -o y.db
has "$err" "job 41 of this sweep is in the queue already: PENDING (JobHeldUser)"
gives 0 "$memsweep" status y.db
has "$out" "PENDING (JobHeldUser)"
rm queue

# Rounds: the words of the next one, and where it ends.
gives 0 "$memsweep" submit small.yaml --until-done --retry -o r.db
lacks "$(grep -o 'submit small.yaml .*' r.db.next.sh)" "--retry"
# next: the command of the job that follows
next() {
    sed -n '/^export MEMSWEEP_ROUND/,$p' "$1.next.sh"
}
next r.db >next.sh
has "$(cat next.sh)" "MEMSWEEP_ROUND=1,0,0,"
gives 0 bash next.sh
has "$out" "after round 1 of at most 20: 363 of 363 points are left"
next r.db >next.sh
has "$(cat next.sh)" "MEMSWEEP_ROUND=2,0,1,"
gives 1 bash next.sh
has "$out" "2 rounds in a row have added no point"
MEMSWEEP_ROUND=20,0,0,41,$digest gives 1 "$memsweep" submit small.yaml --until-done -o r.db
has "$out" "that was the last round"
echo "41 CANCELLED None" >queue
MEMSWEEP_ROUND=3,0,0,41,$digest gives 1 "$memsweep" submit small.yaml --until-done -o r.db
has "$out" "job 41 was cancelled"
echo "77 RUNNING None" >queue
echo 76 >n
gives 0 "$memsweep" submit small.yaml -o q.db
MEMSWEEP_ROUND=1,0,0,41,$digest gives 0 "$memsweep" submit small.yaml --until-done -o q.db
has "$out" "job 77 of this sweep is in the queue already: RUNNING"
rm queue
gives 0 "$memsweep" run small.yaml -q -o r.db
gives 0 "$memsweep" submit small.yaml --until-done -o r.db
has "$out" "done: all 363 points have a row: there is nothing to submit"
MEMSWEEP_ROUND='x' gives 2 "$memsweep" submit small.yaml --until-done -o r.db
MEMSWEEP_ROUND=1,0,0,41,$digest gives 1 "$memsweep" submit list.yaml --until-done -o r.db
has "$out" "the sweep is another one than in round 1"
finish
