#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 067. Placing the tensors of a layer table took rows times rows: 300,000 rows would take
# minutes, each row once takes a moment. The limit is on work done, not on time passed.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
{
    echo "Layer,M,N,K"
    seq -f 'l%.0f,1,1,1' 300000
    echo "huge,1000000,1000000,10000"
} >layers.csv
printf 'sweep: t\nmechanism: neummu\nworkloads: [layers.csv]\nvary: {ptw_count: [1]}\n' >t.yaml
(
    ulimit -t 60
    exec "$memsweep" run t.yaml -o x.db -q -t 1
) >out 2>err
same $? 1 "exit code"
has "$(cat err)" "takes the network beyond"
finish
