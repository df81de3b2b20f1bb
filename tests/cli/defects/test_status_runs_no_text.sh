#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 045. Are the numbers of jobs in a database only numbers to `status`? They went to a shell.
source "$(dirname "$0")/../../cli/common.sh"
command -v sqlite3 >/dev/null || exit 77
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
sqlite3 small.db "INSERT INTO msw_job(sweep, job, role, submitted, command_line) VALUES
    (1, '15', 'run', '', ''), (1, '7;touch INJECTED;', 'run', '', ''),
    (1, '\$(touch INJECTED)', 'run', '', ''), (1, '8 --format=%u', 'run', '', '')"
mkdir bin
printf '#!/bin/sh\necho "$@" >>"%s/asked"\necho "15 RUNNING"\n' "$work" >bin/squeue
chmod +x bin/squeue
gives 0 env PATH="$work/bin:$PATH" "$memsweep" status small.db
has "$out" "RUNNING"
same "$(cat asked)" "--noheader --states=all --jobs=15 --format=%A %T %r" "what squeue was asked"
[ ! -e INJECTED ] || fail "a job's number was run"
finish
