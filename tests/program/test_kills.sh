#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is nothing left running, and nothing falsely stored, however memsweep ends? kill -9, Ctrl-C, and a
# second run that goes on where the first was.
source "$(dirname "$0")/common.sh"
define 'limits: {grace: 100ms}'
sed -i 's/^hang) sleep 60/hang) setsid sleep 62/' sim.sh
sweep killed 'told: [ok, hang], a: {from: 1, to: 3}'

# begin_run: starts it in the background and waits until a program hangs.
begin_run() {
    "$memsweep" run killed.yaml -o killed.db --program sim.yaml -t 2 -q >out 2>err </dev/null &
    memsweep_pid=$!
    for ((i = 0; i < 400; i++)); do
        [ "$(pgrep -fc 'sleep 62')" -lt 2 ] || return
        sleep 0.05
    done
    fail "no program hangs: $(cat err)"
}

begin_run
kill -9 $memsweep_pid
wait $memsweep_pid 2>/dev/null
nobody 'sleep 62'
nobody "$work"
for ((i = 0; i < 200; i++)); do # the supervisor removes what nobody else will
    [ -e killed.runs ] || break
    sleep 0.05
done
same "$(find killed.runs 2>/dev/null)" '' "what a killed run left"

begin_run
kill -INT $memsweep_pid
wait $memsweep_pid
same $? 1 "exit code of an interrupted run"
nobody 'sleep 62'
rows=$("$memsweep" query killed.db -c status -w "status IS NOT NULL" -f tsv | sed 1d | sort -u)
same "$rows" 'ok' "rows of interrupted runs"

# SIGTERM, as a scheduler sends it, is the same. A second Ctrl-C does not wait for what does not hear.
begin_run
kill -TERM $memsweep_pid
wait $memsweep_pid
same $? 1 "exit code of a run that was sent SIGTERM"
nobody 'sleep 62'
define 'limits: {grace: 30s}'
cp sim.sh kept.sh
sed -i "s/^hang) setsid/hang) trap '' TERM; setsid/" sim.sh
begin_run
kill -INT $memsweep_pid
sleep 0.3
kill -0 $memsweep_pid || fail "a run did not wait for its grace"
kill -INT $memsweep_pid
wait $memsweep_pid
same $? 130 "exit code after a second Ctrl-C"
nobody 'sleep 62'
cp kept.sh sim.sh
define 'limits: {grace: 100ms}'

# A daemon ends with its program at a timeout.
define 'limits: {timeout: 300ms, grace: 100ms}'
sed 's/killed/daemons/; s/told: .*, a:/told: [hang], a:/' killed.yaml >daemons.yaml
sed -i "s/^hang) setsid sleep 62/hang) setsid sleep 62 \\& sleep 9/" sim.sh
gives 1 memsweep_runs daemons.yaml -o daemons.db --program sim.yaml -t 2
same "$("$memsweep" query daemons.db -c status -f tsv | sed 1d | sort | uniq -c | tr -s ' ')" ' 3 timeout' "rows of daemons"
nobody 'sleep 62'
cp kept.sh sim.sh
define 'limits: {grace: 100ms}'

# The supervisor alone gone: the run ends with the reason, and without a row; its guard ends what it
# started. A guard that is gone is missed by nobody.
begin_run
guards=$(pgrep -P $memsweep_pid | paste -sd,)
pkill -9 -P "$guards" || fail "no supervisor was there to kill"
wait $memsweep_pid
same $? 3 "exit code without a supervisor"
has "$(cat err)" 'supervisor'
nobody 'sleep 62'
begin_run
pkill -9 -P $memsweep_pid || fail "no guard was there to kill"
sleep 0.1
same "$(pgrep -fc 'sleep 62')" 2 "programs without their guards"
kill -INT $memsweep_pid
wait $memsweep_pid
same $? 1 "exit code of an interrupted run without guards"
nobody 'sleep 62'

# What goes on has the same rows as what was never killed.
sed -i 's/^hang) .*/hang) answer "$2" ;;/' sim.sh
gives 0 memsweep_runs killed.yaml -o killed.db --program sim.yaml -t 2
gives 0 memsweep_runs killed.yaml -o whole.db --program sim.yaml -t 1
same "$("$memsweep" query killed.db -c 'told, a, cycles, time' -f tsv)" \
    "$("$memsweep" query whole.db -c 'told, a, cycles, time' -f tsv)" "rows"
finish
