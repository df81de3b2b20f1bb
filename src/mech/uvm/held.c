/* SPDX-License-Identifier: MIT */
/* How many CTAs an SM holds: the least of its limits, and no more than an even share of the grid.
 */
#include "mech/uvm/held.h"

#include "memsweep/base/bits.h"

uint32_t uvm_ctas_held(const uvm_config *c, const uvm_launch *l, msw_err *err)
{
    uint64_t registers = msw_align_up(l->kernel->registers, 8) * l->threads;
    uint64_t held = msw_min_u64((uint64_t)c->sm_ctas, (uint64_t)c->sm_warps / l->warps);
    if (l->shared)
        held = msw_min_u64(held, (uint64_t)c->sm_shared / l->shared);
    if (registers)
        held = msw_min_u64(held, (uint64_t)c->sm_registers / registers);
    if (!held)
        msw_fail(err,
                 "no CTA fits: it has %u warps, %llu B of shared memory and %llu registers, an SM "
                 "%lld, %lld and %lld",
                 l->warps, (unsigned long long)l->shared, (unsigned long long)registers,
                 (long long)c->sm_warps, (long long)c->sm_shared, (long long)c->sm_registers);
    return (uint32_t)msw_min_u64(held, msw_div_up(l->ctas, (uint64_t)c->sms));
}
