/* SPDX-License-Identifier: MIT */
/* The loops for any CPU. */
#include "workload/simt/lanes/loops.inc"

const simt_loops *simt_loops_base(void)
{
    static const simt_loops LOOPS = LOOPS_TABLE("base");
    return &LOOPS;
}
