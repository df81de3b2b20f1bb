#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 922. The rounding of an array's last chunk may reach into the next array. Do its pages come
# then, with every prefetcher? `tree_driver` forgot their faults, and `bulk` left them on the host.
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >packed.yaml <<'END'
sweep: packed
mechanism: uvm
workloads: [uvm/bicg/n=300, uvm/backprop/inputs=4096]
vary:
  prefetcher: [none, bulk, user, block, tree, tree_driver, random, cross_block, sequential, markov1]
  simt_alignment: [256B, 4KiB, 64KiB]
  page_size: [4KiB, 64KiB]
fix: {sync: waits}
END
# value FILE SQL: one number.
value() { "$memsweep" query "$1" --sql "$2" -f tsv | tail -1; }
for fidelity in analytic full; do
    gives 0 "$memsweep" run packed.yaml --fidelity $fidelity -o $fidelity.db -q -t 2
    same "$(value $fidelity.db "SELECT count(*) FROM points_uvm WHERE status <> 'ok'")" 0 "points without an answer"
    # A and four vectors, 360000 and 4 x 1200 B: 256 B apart they end at 365232 B, on page 89; 64 KiB
    # apart A takes 88 pages and each vector one.
    for prefetcher in bulk user; do
        for pages in 256:90 65536:92; do
            same "$(value $fidelity.db "SELECT pages_in FROM points_uvm WHERE workload LIKE 'uvm/bicg%'
                AND page_size = 4096 AND prefetcher = '$prefetcher' AND simt_alignment = ${pages%:*}")" \
                "${pages#*:}" "pages that $prefetcher brings, arrays ${pages%:*} B apart, at $fidelity"
        done
    done
done
finish
