#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is left, stored and said where a run ends as few do: a kill between the end of a program and the
# commit of its row, no room for another file, a line of 1 GB, no count of processes from the kernel,
# supervisor and guard both killed?
source "$(dirname "$0")/common.sh"
sed -i '/^slow)/i freezes) answer "$2"; echo $$ >"$(cat mark).last"; [ ! -f "$(cat mark).memsweep" ] || { until [ -f "$(cat mark).go" ]; do sleep 0.02; done; kill -STOP "$(cat "$(cat mark).memsweep")"; } ;;\
many) i=0; while : >"f$i"; do i=$((i + 1)); done; answer "$2" ;;\
line) answer "$2"; truncate -s 1G line ;;\
said) answer "$2"; truncate -s 70M line; echo ERROR >>line ;;\
long) head -c 65530 /dev/zero | tr "\\0" " " >line; echo "1234567890" >>line; answer "$2" ;;\
bar) answer "$2"; printf "%70000s\\r" 1 >line; printf "9\\rvalue 77\\n" >>line ;;\
grows) while :; do setsid sleep 66 \& done ;;\
stays) setsid sleep 67 \& setsid sleep 67 \& sleep 67 ;;' sim.sh
told=$(sed -n 's/^\([a-z]*\)) .*/\1/p' sim.sh | paste -sd, | sed 's/,/, /g')
files=', mark'
echo "$work/started" >mark
attempts() { "$memsweep" query "$1" --sql "SELECT count(*) FROM msw_attempt AS a JOIN ${1%.db} AS p ON a.key = p.key WHERE p.told = '$2'" -f tsv | sed 1d; }

# waits COMMAND...: until it holds.
waits() {
    local i
    for ((i = 0; i < 400; i++)); do
        ! "$@" || return 0
        sleep 0.05
    done
    fail "waited in vain for: $*"
}
answered() { [ "$("$memsweep" query once.db --sql 'SELECT count(*) FROM once' -f tsv 2>/dev/null | sed 1d)" = "$1" ]; }
ended() { [ -s started.last ] && ! kill -0 "$(cat started.last)" 2>/dev/null; }

# Killed between the end of a program and the commit of its row: what was committed stays, this run is
# made again, and its point has one row and one attempt. The supervisor has answered already, so
# the folder stays; nothing reads it.
define
sweep once 'told: [ok, freezes]'
"$memsweep" run once.yaml -o once.db --program sim.yaml -t 1 -q >out 2>err &
memsweep_pid=$!
echo $memsweep_pid >started.memsweep
waits answered 1
touch started.go
waits ended
kill -9 $memsweep_pid
wait $memsweep_pid 2>/dev/null
same "$("$memsweep" query once.db -c told -w 'status IS NOT NULL' -f tsv | sed 1d)" ok "rows after a kill before a commit"
nobody "$work"
rm started.memsweep
gives 0 memsweep_runs once.yaml -o once.db --program sim.yaml -t 1
same "$(row once.db freezes)" 'ok 15 5 ' "the row of a run that was made again"
same "$(attempts once.db freezes)" 2 "attempts that are stored for it, the first of a run, which is made twice"
gives 0 "$memsweep" verify once.db

# Killed while the commit waits for somebody who reads: the row is made and not stored.
if command -v python3 >/dev/null; then
    rm started.last
    sweep read 'told: [freezes]'
    gives 0 memsweep_runs read.yaml -o read.db --program sim.yaml -t 1 --work runs
    sed 's/vary.*/vary: {told: [freezes], a: [5, 6]}/' read.yaml >more.yaml
    python3 - >held <<'P' &
import os, sqlite3, time
db = sqlite3.connect("read.db", isolation_level=None)
db.execute("BEGIN"); db.execute("SELECT count(*) FROM msw_sweep").fetchall()
print("held", flush=True)
while not os.path.exists("free"): time.sleep(0.02)
P
    waits [ -s held ]
    "$memsweep" run more.yaml -o read.db --program sim.yaml -t 1 -q --work runs >out 2>err &
    memsweep_pid=$!
    waits ended
    sleep 0.3
    kill -9 $memsweep_pid
    wait $memsweep_pid 2>/dev/null
    touch free
    wait
    same "$("$memsweep" query read.db --sql "SELECT count(*) FROM msw_attempt" -f tsv | sed 1d)" 2 "attempts before the run goes on"
    gives 0 memsweep_runs more.yaml -o read.db --program sim.yaml -t 1 --work runs
    same "$("$memsweep" query read.db -s read --sql "SELECT count(*), count(DISTINCT key) FROM msw_attempt" -f tsv | sed 1d | tr '\t' ' ')" '4 2' "attempts and points"
    gives 0 "$memsweep" verify read.db
fi

# No room for another file, on a disk that has blocks: no row.
mkdir small
if mount -t tmpfs -o size=4m,nr_inodes=40 tmpfs small 2>/dev/null; then
    define
    sweep inodes 'told: [many]'
    gives 3 memsweep_runs inodes.yaml -o inodes.db --program sim.yaml -t 1 --work small/runs
    has "$err" 'is full'
    same "$(find small/runs -name stdout 2>/dev/null)" '' "folders that no row names"
    umount small
else
    echo "not run: a full disk, which needs a file system of its own"
fi

# What is too long is said, in little memory, and never read in part.
define 'failed: {file: line, line: ERROR}'
sweep lines 'told: [ok, line, said]'
if command -v python3 >/dev/null; then
    python3 - "$memsweep" >out <<'P' || fail "memory of a run with a file of 1 GB: $(cat out err)"
import resource, subprocess, sys
code = subprocess.run([sys.argv[1], "run", "lines.yaml", "-q", "-o", "lines.db", "--program", "sim.yaml", "-t", "1"], stderr=open("err", "w")).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
print(code, used, "MiB")
sys.exit(not (code == 1 and used < 400))
P
else
    gives 1 memsweep_runs lines.yaml -o lines.db --program sim.yaml -t 1
fi
has "$(row lines.db ok)" 'ok 15 5'
has "$(row lines.db line)" "failed   'ERROR' cannot be looked for in line: 'line' has more than 64 MiB"
has "$(row lines.db said)" "failed   'ERROR' cannot be looked for in line: 'line' has more than 64 MiB"
for reader in 'key: value' "line: 'value (.*)'" "line: '([0-9]+)'"; do
    define
    sed -i "s/read: {file: out.json, json: cycles}/read: {file: line, $reader}/" sim.yaml
    sweep long 'told: [bar, long]'
    rm -f long.db
    gives 1 memsweep_runs long.yaml -o long.db --program sim.yaml -t 1
    has "$(row long.db bar)" 'failed   metric cycles: line: a line has more than 64 KiB'
    has "$(row long.db long)" 'failed   metric cycles: line: a line has more than 64 KiB'
done
sed -i 's/read: {file: line, [^}]*}/read: {file: line, take: first, key: value}/' sim.yaml
rm long.db
gives 1 memsweep_runs long.yaml -o long.db --program sim.yaml -t 1
has "$(row long.db bar)" 'ok 77 5'

# A kernel that does not say how many processes there were.
if unshare -m mount --bind /dev/null /proc/loadavg 2>/dev/null; then
    define 'limits: {processes: 30, timeout: 20s}'
    sweep grows 'told: [grows]'
    unshare -m sh -c 'mount --bind /dev/null /proc/loadavg; exec "$@"' sh \
        "$memsweep" run grows.yaml -q -o grows.db --program sim.yaml -t 1 >out 2>err
    same $? 1 "exit code of a program that makes processes without end: $(cat err)"
    has "$(row grows.db grows)" 'failed   more than 30 processes at once'
    nobody 'sleep 66'
else
    echo "not run: a kernel that does not count processes, which needs a mount"
fi

# Supervisor and guard killed at once: what they watched goes on, without a row, and the next run says so.
define
sweep stays 'told: [stays]'
"$memsweep" run stays.yaml -o stays.db --program sim.yaml -t 1 -q >out 2>err &
memsweep_pid=$!
several() { [ "$(pgrep -fc 'sleep 67')" -ge 3 ]; }
waits several
guard=$(pgrep -P $memsweep_pid)
kill -9 "$guard" "$(pgrep -P "$guard")"
wait $memsweep_pid
same $? 3 "exit code without supervisor and guard"
has "$(cat err)" 'supervisor'
left=$(pgrep -f 'sleep 67' | sort -n | paste -sd ' ')
sweep next 'told: [ok]'
gives 0 "$memsweep" run next.yaml -o stays.db --program sim.yaml -t 1
has "$err" "nothing watches any more: 'kill"
for pid in $left; do
    has "$err" " $pid"
done
kill $left
nobody 'sleep 67'
gives 0 "$memsweep" run next.yaml -o stays.db --program sim.yaml -t 1
same "$(grep -c watches err)" 0 "warnings where nothing is left"
finish
