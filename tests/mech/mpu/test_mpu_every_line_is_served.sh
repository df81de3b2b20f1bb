#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 916. Does mpu answer where closing is last and hit_cap lets rows be taken from requests
# that could go? Such points failed: all warps waited for memory controllers that did not look at
# their requests again.
source "$(dirname "$0")/../../cli/common.sh"
small='processors=1 processor_columns=1 array_gap=32 issue_width=2 tsv_duplex=on tsv_cycles=0 commit_bytes=8 dram_window=15 closing=last'
for cores in 1 2; do
    for cap in 1 4; do
        # shellcheck disable=SC2086 # one word per setting
        gives 0 "$memsweep" eval mpu -w axpy/paper_counted/n=128Ki $small simulated_cores=$cores hit_cap=$cap
        has "$out" 'stall_dram'
    done
done

# Rows of later bursts of a line were open before the bursts ahead of them could have passed: the time
# of the line's begin was computed below 0, and such a point went on without end.
gives 0 timeout 60 "$memsweep" eval mpu -w axpy/n=4Ki t_ccd=64 t_ccd_short=64
has "$out" 'stall_dram'
finish
