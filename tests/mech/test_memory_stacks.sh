#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Have so many stacks of a memory the same peak in every mechanism, whether stacks or a bandwidth
# are asked for? HBM3: 32 pseudo-channels x 25.6 GB/s a stack (docs/models/dram-presets.md).
source "$(dirname "$0")/../cli/common.sh"

# peak GB/S MECHANISM SETTING...
peak() {
    local wanted=$1
    shift
    gives 0 "$memsweep" eval "$@" --fidelity analytic
    grep -Eq "^ *peak_bandwidth +$wanted " out || fail "$*: $(grep peak_bandwidth out), not $wanted"
}

hbm3="memory_model=banks memory_preset=hbm3_6400"
for mechanism in "neummu -w ncf/b1 $hbm3" "camdn -w mix:ncf $hbm3"; do
    peak 819.2 $mechanism memory_stacks=1
    peak 3276.8 $mechanism memory_stacks=4
    peak 3276.8 $mechanism memory_least_bandwidth=3000
    gives 1 "$memsweep" eval $mechanism memory_stacks=3
    has "$out" "allowed: 1, 2, 4, 8, 16"
    gives 1 "$memsweep" eval $mechanism memory_least_bandwidth=16000
    has "$out" "16 stacks of hbm3_6400 have 1.311e+04"
done
peak 3276.8 dram -w ncf/b1 memory=hbm3 stacks=4
peak 3276.8 dram -w ncf/b1 memory=hbm3 least_bandwidth=3000
finish
