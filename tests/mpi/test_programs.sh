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

# Where one rank finds another program, none of them runs.
for i in 0 1; do
    mkdir -p rank$i
    cp sim.sh sim.yaml grid.yaml hold rank$i
done
echo '# another one' >>rank1/sim.sh
printf '#!/bin/sh\ncd "%s/rank$OMPI_COMM_WORLD_RANK" && exec "%s" "$@"\n' "$work" "$memsweep" >elsewhere
chmod +x elsewhere
(memsweep=$work/elsewhere; ranks 2 run grid.yaml --program sim.yaml -t 1 -q -o differ.db >out 2>err)
same $? 3 "exit code where one rank has another program: $(head -c 300 err)"
has "$(cat err)" 'rank 1 has sim.sh is no longer the file'

# A program that uses MPI itself is its own only rank.
if command -v mpicc >/dev/null; then
    cat >hello.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("cycles = %d\n", size);
    return MPI_Finalize();
}
END
    mpicc -o hello hello.c || fail "mpicc"
    sed 's/sim$/hello/; s/^command.*/command: [.\/hello]/; s/^files.*/files: [hello]/' sim.yaml >hello.yaml
    printf 'env: {OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1"}\n' >>hello.yaml
    printf 'sweep: hello\nmechanism: {program: hello.yaml}\nvary: {a: [1, 2]}\n' >hello-sweep.yaml
    gives 0 ranks 2 run hello-sweep.yaml --program hello.yaml -t 1 -q -o hello.db
    same "$("$memsweep" query hello.db -c cycles -f tsv | sed 1d | sort -u)" 1 "ranks that a program of MPI sees"
fi

# A rank that is killed takes its program with it.
sed 's/name: grid/name: hang/; s/b: {from: 1, to: 5}/b: [100, 101, 102]/; s/sweep: grid/sweep: hang/' grid.yaml >hang.yaml
begin 2 run hang.yaml --program sim.yaml -t 1 -q -o hang.db
for ((i = 0; i < 400; i++)); do
    [ "$(pgrep -fc 'sleep 63')" -ge 2 ] && break
    sleep 0.05
done
rank=$(process 1)
kill -9 "$rank" || fail "no rank was there to kill"
await_end
gone() {
    for ((i = 0; i < 100; i++)); do
        pgrep -f 'sleep 63' >/dev/null || return
        sleep 0.05
    done
    fail "programs are left after $1 was killed"
}
gone "a rank"

# So does mpirun.
begin 2 run hang.yaml --program sim.yaml -t 1 -q -o hang2.db
for ((i = 0; i < 400; i++)); do
    [ "$(pgrep -fc 'sleep 63')" -ge 2 ] && break
    sleep 0.05
done
kill -9 "$launcher" || fail "no mpirun was there to kill"
await_end
gone mpirun
finish
