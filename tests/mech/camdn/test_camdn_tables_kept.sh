#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 551. Are the tables of a mix kept by network: is what another mix, another cache or another
# memory needs read, and what another array needs made? Does describe print them?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

sweep() { # NAME WORKLOAD SETTINGS
    printf 'sweep: %s\nmechanism: camdn\nworkloads: [%s]\nfidelity: analytic\ndesign: grid\n' "$1" "$2"
    printf 'fix: {%s}\nvary:\n  tenants: [1, 4]\nseed: 1\n' "$3"
}
sweep one mix:ncf+dlrm_rm1 'cache_size: 4MiB' >one.yaml
sweep two mix:ncf+dlrm_rm2:3 'cache_size: 16MiB, memory_bandwidth: 50, npu_ways: 8' >two.yaml
sweep three mix:ncf 'array_rows: 16' >three.yaml
gives 0 "$memsweep" run one.yaml -o kept.db
has "$out$err" '2 kept artifacts built'
gives 0 "$memsweep" run two.yaml -o kept.db
has "$out$err" '1 kept artifact built'
has "$out$err" '1 read'
gives 0 "$memsweep" run three.yaml -o kept.db
has "$out$err" '1 kept artifact built'
lacks "$out$err" ' read'

gives 0 "$memsweep" describe mix/small --mapping
has "$out" 'Mapping by camdn'
has "$out" 'ways looked at'
has "$out" 'level 0: 0 pages'
gives 2 "$memsweep" describe camdn --mapping
has "$err" 'allowed: of a workload'
for unmapped in synth/small resnet50/b1; do
    gives 2 "$memsweep" describe $unmapped --mapping
    has "$err" 'no mechanism maps it'
done
finish
