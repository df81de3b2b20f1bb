#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do limits hold and is what a limit ends told rightly? CPUs that a run needs, retries by cause, a tree
# of processes without end, a full disk, and points that are equal, on threads and ranks.
source "$(dirname "$0")/common.sh"
attempts() { # FILE DO
    "$memsweep" query "$1" --sql "SELECT a.how FROM ${1%.db} AS p JOIN msw_attempt AS a ON a.key = p.key WHERE p.told = '$2'" -f tsv | sed 1d | paste -sd ' '
}
sed -i '/^slow)/i bomb) i=0; while [ $i -lt 60 ]; do (sleep 64 \& sleep 64) \& i=$((i + 1)); done; wait ;;\
alone) mkdir "$(cat mark).lock" || exit 9; sleep 0.1; rmdir "$(cat mark).lock"; answer "$2" ;;' sim.sh
told=$(sed -n 's/^\([a-z]*\)) .*/\1/p' sim.sh | paste -sd, | sed 's/,/, /g')
files=', mark'
echo "$work/started" >mark

# Only what the definition names is tried again; each attempt has a line, the last one counts.
define 'retry: {times: 2, on: [signal, output]}'
sweep tries 'told: [ok, three, segv, none, unfit]'
gives 1 memsweep_runs tries.yaml -o tries.db --program sim.yaml -t 1
same "$(attempts tries.db three)" 'exit 3' "attempts of what is not tried again"
same "$(attempts tries.db segv)" 'signal 11 signal 11 signal 11' "attempts of a signal"
same "$(attempts tries.db none)" 'exit 0 exit 0 exit 0' "attempts without output"
same "$(attempts tries.db unfit)" 'exit 1' "attempts of what is infeasible"
same "$(attempts tries.db ok)" 'exit 0 exit 0' "attempts of the first point, which is run twice"
gives 0 "$memsweep" query tries.db --sql "SELECT count(*) FROM msw_attempt WHERE wall_s > 0 AND cpu_s > 0 AND memory_bytes > 0 AND host <> ''" -f tsv
same "$(sed 1d <<<"$out")" 10 "attempts with times and memory"
folder=$("$memsweep" query tries.db --sql "SELECT a.folder FROM tries AS p JOIN msw_attempt AS a ON a.key = p.key WHERE p.told = 'three'" -f tsv | sed 1d)
grep -q 'no such thing' "$folder/stderr" || fail "no words of the failure in '$folder'"
# Each cause alone, and none of the others.
sed -i '/^slow)/i oom) echo MemoryError >\&2; exit 1 ;;' sim.sh
told="$told, oom"
for cause in timeout exit memory; do
    define 'limits: {timeout: 300ms, grace: 50ms}' "retry: {times: 1, on: [$cause]}"
    sweep $cause 'told: [ok, hang, three, oom, none]'
    gives 1 memsweep_runs $cause.yaml -o $cause.db --program sim.yaml -t 2
done
same "$(attempts timeout.db hang), $(attempts timeout.db three), $(attempts timeout.db oom)" \
    'timeout timeout, exit 3, exit 1' "attempts where a timeout is tried again"
same "$(attempts exit.db hang), $(attempts exit.db three), $(attempts exit.db none)" \
    'timeout, exit 3 exit 3, exit 0' "attempts where an exit code is tried again"
same "$(attempts memory.db hang), $(attempts memory.db three), $(attempts memory.db oom)" \
    'timeout, exit 3, exit 1 exit 1' "attempts where a lack of memory is tried again"
# They stay through a second try and a merge.
gives 1 memsweep_runs tries.yaml -o tries.db --program sim.yaml -t 1 --retry
gives 0 "$memsweep" merge all.db tries.db
gives 0 "$memsweep" query all.db --sql "SELECT count(*) FROM msw_attempt" -f tsv
same "$(sed 1d <<<"$out")" "$("$memsweep" query tries.db --sql 'SELECT count(*) FROM msw_attempt' -f tsv | sed 1d)" "merged attempts"
[ "$(sed 1d <<<"$out")" -gt 15 ] || fail "attempts after a second try: $out"

# A run that needs two CPUs is alone on two threads, and not on four.
define 'limits: {cpus: 2}'
sweep alone 'told: [alone], a: {from: 1, to: 5}'
gives 0 memsweep_runs alone.yaml -o alone.db --program sim.yaml -t 2

# A tree that grows is ended with all that is in it.
define 'limits: {timeout: 400ms, grace: 50ms}'
sweep bomb 'told: [bomb, ok]'
gives 1 memsweep_runs bomb.yaml -o bomb.db --program sim.yaml -t 1
has "$(row bomb.db bomb)" 'timeout'
nobody 'sleep 64'

# One that grows for ever is ended at its limit of processes. For the bomb itself the kernel has a limit,
# too, which root does not have: so nobody runs it, who has few processes.
as=(prlimit --nproc=1000:1000)
[ "$(id -u)" != 0 ] || as+=(setpriv --reuid 65533 --regid 65533 --clear-groups)
mkdir fork && chmod 777 fork && chmod 711 . && chmod a+r sim.sh mark
cat >fork/bomb.sh <<'END'
#!/bin/sh
f() { setsid sh -c 'sleep 65 & sleep 65' & f | f & sleep 65 & f; }
case $1 in ever) f ;; esac
echo '{"cycles": 1, "time": "1 ns"}' >out.json
END
chmod 755 fork/bomb.sh
if "${as[@]}" test -x "$memsweep" 2>/dev/null && [ "$("${as[@]}" bash -c 'ulimit -u')" = 1000 ]; then
    sed 's/choices: .*, default: ok/choices: [ever, ok], default: ok/; s/sim\.sh/bomb.sh/; s/, mark//' sim.yaml >fork/sim.yaml
    sed -i 's/^limits.*/limits: {processes: 60, timeout: 20s}/' fork/sim.yaml
    (cd fork && sweep ever 'told: [ever, ok]')
    export XDG_CONFIG_HOME=$work/fork/config
    (cd fork && "${as[@]}" timeout 60 "$memsweep" run ever.yaml -q -o ever.db --program sim.yaml -t 1 >out 2>err)
    same $? 1 "exit code of a run with a fork bomb: $(cat fork/err)"
    has "$(row fork/ever.db ever)" 'failed   more than 60 processes at once'
    has "$(row fork/ever.db ok)" 'ok 1 1'
    nobody 'sleep 65'
    nobody bomb.sh
else
    echo "not run: a fork bomb, which needs prlimit and setpriv"
fi

# A full disk ends the run without rows that are no answers.
mkdir small
if mount -t tmpfs -o size=300k tmpfs small 2>/dev/null; then
    define
    sed -i 's/^log) yes/log) answer "$2"; yes/' sim.sh
    sweep full 'told: [log], a: {from: 1, to: 3}'
    gives 3 memsweep_runs full.yaml -o full.db --program sim.yaml -t 1 --work small/runs
    has "$err" 'is full'
    same "$("$memsweep" query full.db -c status -w "status IS NOT NULL" -f tsv 2>/dev/null | sed 1d | wc -l)" 0 "rows of a full disk"
    umount small
fi

# So does one that is full of the database: what was stored stays, and a later run goes on.
if mount -t tmpfs -o size=400k tmpfs small 2>/dev/null; then
    define
    sweep base 'a: {from: 1, to: 60}'
    gives 0 memsweep_runs base.yaml -o small/base.db --program sim.yaml -t 1 --work runs --shard 0/2
    head -c 10m /dev/zero >small/filler 2>/dev/null
    "$memsweep" run base.yaml -q -o small/base.db --program sim.yaml -t 1 --work runs >out 2>err
    same $? 3 "exit code where the database cannot grow: $(cat err)"
    rm small/filler
    gives 0 memsweep_runs base.yaml -o small/base.db --program sim.yaml -t 1 --work runs
    gives 0 memsweep_runs base.yaml -o base.db --program sim.yaml -t 2
    same "$("$memsweep" digest small/base.db)" "$("$memsweep" digest base.db)" "rows after a disk that was full"
    umount small
fi

# Equal points run once: threads, ranks and shards give one digest.
rm -f started
define
printf 'told,a\nok,1\nok,2\nok,1\nok,2\nok,3\n' >points.csv
printf 'sweep: equal\nmechanism: {program: sim.yaml}\ndesign: {kind: list, file: points.csv}\nobjectives: {minimize: [cycles]}\n' >equal.yaml
gives 0 memsweep_runs equal.yaml -o equal1.db --program sim.yaml -t 1
same "$(wc -l <started)" 4 "starts of three different points, the first of them twice"
gives 0 memsweep_runs equal.yaml -o equal2.db --program sim.yaml -t 2
wanted=$("$memsweep" digest equal1.db)
same "$("$memsweep" digest equal2.db)" "$wanted" "digest on two threads"
if command -v mpirun >/dev/null && grep -q 'MEMSWEEP_MPI:BOOL=ON' "$MEMSWEEP_BUILD/CMakeCache.txt"; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
    rm started
    gives 0 mpirun --oversubscribe --bind-to none -n 2 "$memsweep" run equal.yaml -o ranks.db --program sim.yaml -t 1 -q
    same "$(wc -l <started)" 4 "starts on two ranks"
    same "$("$memsweep" digest ranks.db)" "$wanted" "digest on two ranks"
fi
finish
