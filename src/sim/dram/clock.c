/* SPDX-License-Identifier: MIT */
/* dram_clock: a configuration in cycles of another clock. */
#include "memsweep/base/bits.h"
#include "sim/dram/state.h"

static uint32_t scaled(uint32_t cycles, uint32_t from_ps, uint32_t to_ps)
{
    return (uint32_t)msw_div_up((uint64_t)cycles * from_ps, to_ps);
}

msw_dram_config msw_dram_at_clock(const msw_dram_config *config, uint32_t clock_ps)
{
    msw_dram_config c = *config;
    msw_dram_timing *t = &c.t;
    uint32_t *const times[] = {&t->bl,    &t->cl,    &t->cwl,   &t->rcd,   &t->rp,  &t->ras,
                               &t->rc,    &t->ccd_s, &t->ccd_l, &t->rtp,   &t->faw, &t->rrd_s,
                               &t->rrd_l, &t->wr,    &t->wtr_s, &t->wtr_l, &t->rtw, &t->rtrs,
                               &t->rfc,   &t->swap,  &t->sel,   &t->ra,    &t->wa,  &c.controller};
    if (clock_ps == c.clock_ps)
        return c;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *times[i] = scaled(*times[i], config->clock_ps, clock_ps);
    /* Refresh may not become rarer. */
    t->refi = (uint32_t)((uint64_t)t->refi * config->clock_ps / clock_ps);
    if (config->t.rc >= config->t.ras + config->t.rp)
        t->rc = msw_max_u32(t->rc, t->ras + t->rp);
    if (config->t.faw >= 4 * config->t.rrd_s)
        t->faw = msw_max_u32(t->faw, 4 * t->rrd_s);
    c.fixed_latency = scaled(config->fixed_latency, config->clock_ps, clock_ps);
    c.fixed_bytes_per_cycle = config->fixed_bytes_per_cycle * clock_ps / config->clock_ps;
    c.clock_ps = clock_ps;
    return c;
}
