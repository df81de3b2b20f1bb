#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 651. Does a fault under the trained predictor bring its block, as under the other
# predictors, and not its page alone; and are pages of a block that joined a held fault part of its
# transfer, not cuts of it?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# ask BRINGS: far faults and transfers; 12 blocks of 16 pages are touched.
ask() {
    "$memsweep" eval uvm -w uvm/streamtriad/n=64Ki --fidelity full prefetcher=learned predict_holds=fault \
        predict_latency=10us predict_on=walk learning_rate=0.01 visits=512 cluster=sm feed=16 predict_distance=1 sms=4 memory_spread=0 \
        fault_brings="$1" | awk '$1 == "far_faults" || $1 == "transfers" { printf "%s %s ", $1, $2 }'
}
same "$(ask page)" "far_faults 192 transfers 193 " "a fault brings its page"
same "$(ask block)" "far_faults 12 transfers 25 " "a fault brings its block, in two transfers"
finish
