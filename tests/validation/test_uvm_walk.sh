#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long does a load take whose page is on the device and not in the TLB? One thread follows a chain of
# 64 pages again and again with a TLB of one entry: a round more takes its instructions, issue_cycles
# each, and for each load a look-up, a walk, the path and the memory. By hand, from the machine's rules.
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

cat >chain.ptx <<'PTX'
.version 7.0
.target sm_75
.address_size 64
.visible .entry chain(.param .u64 a, .param .u32 pages, .param .u32 rounds)
{
    .reg .u64 %start, %at, %more;
    .reg .u32 %all, %left, %rounds, %value;
    .reg .pred %p;
    ld.param.u64 %start, [a];
    ld.param.u32 %all, [pages];
    ld.param.u32 %rounds, [rounds];
again:
    mov.u64 %at, %start;
    mov.u32 %left, %all;
next:
    ld.global.u32 %value, [%at];
    cvt.u64.u32 %more, %value;
    add.u64 %at, %at, %more;
    add.u64 %at, %at, 4096;
    add.u32 %left, %left, -1;
    setp.ne.u32 %p, %left, 0;
    @%p bra next;
    add.u32 %rounds, %rounds, -1;
    setp.ne.u32 %p, %rounds, 0;
    @%p bra again;
    ret;
}
PTX
cat >chain.simt <<'SIMT'
ptx   chain.ptx
title one thread that follows a chain of pages
size  pages = 64 in 1 .. 1024
size  rounds = 1 in 1 .. 1024
array managed a u8[pages * 4096]
launch chain grid(1) block(1) args(a, pages, rounds)
SIMT

# cycles ROUNDS PARAMETER...: of the whole program.
cycles() {
    "$memsweep" eval uvm -w "chain.simt/rounds=$1" --fidelity full prefetcher=none tlb_entries=1 \
        memory_spread=0 "${@:2}" |
        awk '$1 == "cycles" { print $2; exit }'
}

# a round of 64 loads has 7 x 64 + 5 instructions
for walk in 1 100 317; do
    for path in 0 100; do
        set -- walk_cycles=$walk path_cycles=$path memory_cycles=70 tlb_cycles=3 issue_cycles=6
        same $(($(cycles 3 "$@") - $(cycles 2 "$@"))) $((6 * 453 + 64 * (3 + walk + path + 70))) \
            "a round with walk_cycles $walk, path_cycles $path"
    done
done
finish
