#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 141. The TLBs of neummu were free in every front, htmmu counted its own in bits,
# neummu_sparse nothing.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
# bytes MECHANISM WORKLOAD FIX: sram_bytes of one point.
bytes() {
    cat >one.yaml <<END
sweep: one
mechanism: $1
workloads: [$2]
fidelity: analytic
fix: {$3}
END
    rm -f one.db
    gives 0 "$memsweep" run one.yaml -o one.db -q
    gives 0 "$memsweep" query one.db -c sram_bytes -f tsv
    sram=$(tail -n 1 out)
}
bare='scoreboard: off, prmb_slots: 0, path_cache: none'
bytes neummu alexnet/b1 "$bare, tlb_entries: 2048"
same "$sram" 26112 'a TLB of 2,048 entries of 102 bits'
bytes neummu alexnet/b1 "$bare, tlb_entries: 3"
same "$sram" 39 'bits of a structure fill whole bytes'
bytes neummu alexnet/b1 "$bare, tlb_entries: 2048, tlb2_entries: 1024"
same "$sram" 39168 'a second TLB'
bytes neummu alexnet/b1 "$bare, tlb_entries: 2048, walk_queue: 64"
same "$sram" 26920 'a queue of 64 requests of 101 bits'
bytes neummu alexnet/b1 'oracle: on'
same "$sram" 0 'what is known at once'
bytes neummu alexnet/b1 'ptw_count: 128, tlb_entries: 2048'
same "$sram" 61696 'the proposal: 35,584 and the TLB'
bytes neummu_sparse neumf/b64 'ptw_count: 128, tlb_entries: 2048'
same "$sram" 61696 'the same MMU for rows'
bytes neummu_sparse neumf/b64 'mode: copy'
same "$sram" 0 'no MMU'
bytes htmmu kgcn/b128 'l1_entries: 32, l2_entries: 544, merge_entries: 16, merge_items: 8, tpc_entries: 28, streams: 4, l1_mshrs: 4, ptu_queue: 16, item_bytes: 8'
same "$sram" 21460 'TLBs, scoreboard, items, paths, registers and queue'
# a front of speed and SRAM does not take the largest TLB for nothing
cat >front.yaml <<END
sweep: front
mechanism: neummu
workloads: [rnn2/b1]
fidelity: analytic
vary: {tlb_entries: {from: 16, to: 16384, scale: pow2}}
objectives: {minimize: [slowdown, sram_bytes]}
END
gives 0 "$memsweep" run front.yaml -o front.db -q
gives 0 "$memsweep" query front.db --sql 'SELECT count(DISTINCT sram_bytes) AS n FROM front' -f tsv
same "$(tail -n 1 out)" 11 'prices of eleven TLBs'
finish
