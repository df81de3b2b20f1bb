#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect: messages about common slips told an internal statement, a line number of no file, or nothing
# that helps. Does each say what to write instead?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
# says EXPECTED WORD...: fails with exit code 2 and one line that has the text.
says() {
    local expected=$1
    shift
    gives 2 "$memsweep" "$@"
    has "$(cat err)" "$expected"
    same "$(wc -l <err)" 1 "lines about $*"
}
cat >small.yaml <<'END'
sweep: small
mechanism: neummu
workloads: [alexnet/b1]
fidelity: analytic
vary: {ptw_count: [8, 16], page_size: [4KiB, 2MiB]}
END
gives 0 "$memsweep" run small.yaml -o small.db -q
says "text goes in quotes: 'alexnet/b1'" pareto small.db --filter 'workload = alexnet/b1' --minimize slowdown
says "text goes in quotes: 'alexnet'" pareto small.db --filter 'workload = alexnet' --minimize slowdown
says "no parameter or metric 'slowdwn', did you mean 'slowdown'?" sensitivity small.db -m slowdwn
lacks "$(cat err)" 'y_value'
says '8*KiB' query small.db --filter 'page_size = 8KiB'
says "did you mean '-w resnet50/b1'?" eval neummu resnet50/b1
says "without dashes: 'ptw_count=8'" eval neummu --ptw_count=8
says "without dashes: 'ptw_count=8'" eval neummu --ptw_count 8
says 'workloads of sparse, trace' eval htmmu -w resnet50/b1
says "'ptw_count' is given twice: 'ptw_count=8' and 'ptw_count=9'" eval neummu ptw_count=8 ptw_count=9
gives 0 "$memsweep" sensitivity small.db -m slowdown --method oat --baseline page_size=2MiB,ptw_count=8
has "$(cat out)" 2097152
says 'a SELECT of your own follows --sql' query small.db 'SELECT count(*) FROM small'
# What two files have in common is their ending.
gives 0 cp small.db l.db
gives 3 "$memsweep" status v.db
has "$(cat err)" "no database 'v.db'"
lacks "$(cat err)" 'did you mean'
gives 3 "$memsweep" status smal.db
has "$(cat err)" "did you mean 'small.db'?"
finish
