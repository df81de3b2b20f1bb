#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a program of the user's give the same rows on 1 and 2 threads, 2 ranks, and in shards of which
# one was killed? Is nothing left of it when a rank is killed? A program may use MPI itself: it does
# not see that it is started by a rank.
source "$(dirname "$0")/common.sh"
here=$(dirname "$0")
cat >sim.sh <<'END'
#!/bin/sh
env | grep -c 'OMPI\|PMIX' >mpi
[ "$2" -lt 100 ] || sleep 63
while [ -e hold ] && [ -e "$(readlink -f hold).on" ] && [ "$1" -gt 3 ]; do sleep 0.05; done
echo "cycles = $(($1 * 100 + $2 + $(cat mpi)))"
END
chmod +x sim.sh
cat >sim.yaml <<'END'
program: sim
parameters:
  a: {from: 0, to: 1000, default: 1}
  b: {from: 0, to: 1000, default: 1}
metrics:
  cycles: {goal: lower, read: {key: cycles}}
command: [./sim.sh, "@a@", "@b@"]
files: [sim.sh, hold]
END
: >hold
cat >grid.yaml <<'END'
sweep: grid
mechanism: {program: sim.yaml}
design: grid
vary: {a: {from: 1, to: 6}, b: {from: 1, to: 5}}
END
gives 0 "$memsweep" run grid.yaml --program sim.yaml -t 1 -q -o one.db
gives 0 "$memsweep" run grid.yaml --program sim.yaml -t 2 -q -o two.db
gives 0 ranks 2 run grid.yaml --program sim.yaml -t 1 -q -o ranks.db
wanted=$(digest one.db)
same "$(digest two.db)" "$wanted" "two threads"
same "$(digest ranks.db)" "$wanted" "two ranks"
[ ! -e ranks.runs ] || fail "folders of ranks are left: $(find ranks.runs)"
same "$("$memsweep" query one.db -c cycles -w 'a = 1 AND b = 1' -f tsv | sed 1d)" 101 "variables of MPI"

# Consent is asked once, and said on all ranks.
gives 2 ranks 2 run grid.yaml -q -o refused.db
same "$(grep -c 'needs your consent' err)" 1 "questions"

# The parts of an array, one of them killed and run again.
for i in 0 1 2; do
    gives 0 "$memsweep" run grid.yaml --program sim.yaml -t 1 -q --shard $i/3 -o part$i.db
done
rm part1.db
: >hold.on
"$memsweep" run grid.yaml --program sim.yaml -t 1 -q --shard 1/3 -o part1.db &
for ((i = 0; i < 400; i++)); do
    rows=$("$memsweep" query part1.db --sql 'SELECT count(*) FROM grid' -f tsv 2>/dev/null | sed 1d)
    [ "${rows:-0}" -eq 0 ] || break
    sleep 0.05
done
kill -9 $!
wait $! 2>/dev/null
same $? 137 "exit code of a killed part"
rm hold.on
[ "$rows" -gt 0 ] && [ "$rows" -lt 10 ] || fail "rows of a killed part: $rows"
gives 0 "$memsweep" run grid.yaml --program sim.yaml -t 1 -q --shard 1/3 -o part1.db --take-over
gives 0 "$memsweep" merge parts.db part0.db part1.db part2.db
same "$(digest parts.db)" "$wanted" "shards"

# A rank that is killed takes its program with it.
sed 's/name: grid/name: hang/; s/b: {from: 1, to: 5}/b: [100, 101, 102]/; s/sweep: grid/sweep: hang/' grid.yaml >hang.yaml
begin 2 run hang.yaml --program sim.yaml -t 1 -q -o hang.db
for ((i = 0; i < 400; i++)); do
    [ "$(pgrep -fc 'sleep 63')" -ge 2 ] && break
    sleep 0.05
done
rank=$(pgrep -f "$memsweep run hang.yaml" | tail -n 1)
kill -9 "$rank"
await_end
for ((i = 0; i < 100; i++)); do
    pgrep -f 'sleep 63' >/dev/null || break
    sleep 0.05
done
! pgrep -f 'sleep 63' || fail "programs are left"
finish
