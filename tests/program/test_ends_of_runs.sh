#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does every way in which a program can end or answer become the row it should be? Status comes
# before values: nothing that was printed on the way to a failure is an answer.
source "$(dirname "$0")/common.sh"
define 'limits: {output: 1MB, memory: 200MiB}'
sweep ends "told: [$(sed 's/, \(hang\|deaf\|stopped\|random\|files\|slow\|environment\)\b//g' <<<"$told")]"
gives 1 memsweep_runs ends.yaml -o ends.db --program sim.yaml -t 2

is() { has "$(row ends.db "$1")" "$2"; }
is ok 'ok 15 5'
is three 'failed   exit code 3: no such thing: three'
is unfit 'infeasible   not a power of two'
is segv 'failed   signal 11'
is daemon 'failed   it ended while'
is half 'failed   metric cycles: out.json'
is nan "failed   metric cycles: out.json: 'nan' is no number"
is big "failed   metric cycles: out.json: '1e999' is no finite number"
is unitless "failed   metric time: out.json: '1' has no unit behind it, expected ns"
is inches 'failed   metric time: out.json'
is picos 'ok 1 1.5'
is none "failed   metric cycles: no file 'out.json'"
is empty 'failed   metric cycles: out.json'
is link "failed   metric cycles: 'out.json' is a link, no file"
is fifo "failed   metric cycles: 'out.json' is a pipe or a device, no file"
is late 'failed   exit code 4'
is log 'failed '
is gone 'failed '
is locked 'ok 15 5'
is reads 'ok 0 0'
is eats 'failed '
nobody 'sleep 61'

# At a timeout: what hears TERM, what does not, and what is stopped.
define 'limits: {timeout: 200ms, grace: 200ms}'
sweep late 'told: [hang, deaf, stopped]'
gives 1 memsweep_runs late.yaml -o late.db --program sim.yaml -t 2
for told in hang deaf stopped; do
    has "$(row late.db $told)" 'timeout '
done
nobody "$work"

# Folders of failures are kept, those of answers are not.
[ "$(find ends.runs -name out.json | wc -l)" -gt 5 ] || fail "no folders of failures"
grep -q 'no such thing' ends.runs/*/*/*/stderr || fail "no words of the failure are kept"
[ -z "$(find ends.runs -name side)" ] || fail "the folder of an answer is kept"
# Private folders.
[ "$(stat -c %a ends.runs/*)" = 700 ] || fail "others may look into the folders"
finish
