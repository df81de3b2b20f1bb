#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 716. Do accesses go on that have joined a fault which waits for its prediction, where their
# page thrashes and so does not come along with the block, or the fault itself is put off?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
for kernel in bicg/n=128 nw/n=256; do
    gives 0 "$memsweep" eval uvm -w uvm/$kernel --fidelity full prefetcher=stride predict_holds=fault oversubscription=1.2 \
        thrash=all thrash_events=1
done
gives 0 "$memsweep" eval uvm -w uvm/bicg/n=128 --fidelity full prefetcher=stride predict_holds=fault oversubscription=1.2 \
    thrash=all
finish
