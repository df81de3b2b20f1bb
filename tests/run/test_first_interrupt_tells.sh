#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 073. The first Ctrl-C printed nothing until the points in hand had ended.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep long 'cost: 30s' 'cost_kind: sleep'
sed -i '/gain/d' long.yaml
"$memsweep" run long.yaml -o x.db -q -t 1 >out 2>err &
run=$!
caught $run
kill -INT $run
for ((i = 0; i < 400; i++)); do
    grep -q stopping err && break
    sleep 0.05
done
has "$(cat err)" "stopping: the points in hand are finished and stored; Ctrl-C again ends at once"
kill -0 $run 2>/dev/null || fail "it had ended before it said so"
kill -INT $run
wait $run
same $? 130 "exit code of the second"
finish
