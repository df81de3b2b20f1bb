/* SPDX-License-Identifier: MIT */
/* dram_config: the check of a configuration. */
#include "sim/dram/state.h"

typedef struct range {
    const char *name;
    uint32_t value, min, max;
} range;

static int check_ranges(const range *ranges, size_t count, msw_err *err)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max)
            return msw_fail(err, "memory: %s is %u, allowed are %u to %u", ranges[i].name,
                            ranges[i].value, ranges[i].min, ranges[i].max);
    return 0;
}

static int check_powers(const range *ranges, size_t count, msw_err *err)
{
    if (check_ranges(ranges, count, err))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (ranges[i].value & (ranges[i].value - 1))
            return msw_fail(err, "memory: %s is %u, must be a power of two", ranges[i].name,
                            ranges[i].value);
    return 0;
}

static int check_organisation(const msw_dram_config *c, msw_err *err)
{
    const range powers[] = {
        {"burst_bytes", c->burst_bytes, 1, 4096},
        {"channels", c->channels, 1, 1024},
        {"ranks", c->ranks, 1, 16},
        {"groups", c->groups, 1, 16},
        {"banks", c->banks, 1, 64},
        {"rows", c->rows, 1, 1u << 30},
        {"columns", c->columns, 1, 1u << 16},
        {"buffers", c->buffers, 1, 64},
    };
    if (check_powers(powers, sizeof powers / sizeof *powers, err))
        return -1;
    if (c->ranks * c->groups > 32)
        return msw_fail(err, "memory: ranks * groups is %u, at most 32", c->ranks * c->groups);
    if (c->buffers > c->rows)
        return msw_fail(err, "memory: %u row buffers for %u rows", c->buffers, c->rows);
    if ((uint64_t)c->ranks * c->groups * c->banks * c->buffers > 16384)
        return msw_fail(err, "memory: more than 16384 row buffers in a channel");
    msw_dram_map map;
    return msw_dram_map_init(&map, c, err);
}

static int check_controller(const msw_dram_config *c, msw_err *err)
{
    const range ranges[] = {
        {"clock_ps", c->clock_ps, 1, 1000000},
        {"read_depth", c->read_depth, 1, DRAM_MAX_DEPTH},
        {"write_depth", c->write_depth, 1, DRAM_MAX_DEPTH},
        {"write_high", c->write_high, 1, c->write_depth},
        {"write_low", c->write_low, 0, c->write_high - 1},
        {"controller", c->controller, 1, 1000},
        {"command_buses", c->command_buses, 1, 2},
    };
    return check_ranges(ranges, sizeof ranges / sizeof *ranges, err);
}

static int check_timing(const msw_dram_timing *t, msw_err *err)
{
    enum { MOST = 100000 };
    const range ranges[] = {
        {"bl", t->bl, 1, MOST},
        {"cl", t->cl, 1, MOST},
        {"cwl", t->cwl, 1, MOST},
        {"rcd", t->rcd, 1, MOST},
        {"rp", t->rp, 1, MOST},
        {"ras", t->ras, 1, MOST},
        {"rc", t->rc, 1, MOST},
        {"ccd_s", t->ccd_s, 1, MOST},
        {"ccd_l", t->ccd_l, t->ccd_s, MOST},
        {"rtp", t->rtp, 1, MOST},
        {"rrd_s", t->rrd_s, 1, MOST},
        {"rrd_l", t->rrd_l, t->rrd_s, MOST},
        {"faw", t->faw, 1, MOST},
        {"wr", t->wr, 0, MOST},
        {"wtr_s", t->wtr_s, 0, MOST},
        {"wtr_l", t->wtr_l, t->wtr_s, MOST},
        {"rtw", t->rtw, 0, MOST},
        {"rtrs", t->rtrs, 0, MOST},
        {"swap", t->swap, 0, MOST},
        {"sel", t->sel, 0, MOST},
        {"ra", t->ra, 0, t->rp},
        {"wa", t->wa, 0, t->cwl + t->bl + t->wr},
    };
    if (check_ranges(ranges, sizeof ranges / sizeof *ranges, err))
        return -1;
    if (t->ras < t->rcd)
        return msw_fail(err, "memory: ras %u is less than rcd %u", t->ras, t->rcd);
    if (t->rc < t->ras)
        return msw_fail(err, "memory: rc %u is less than ras %u", t->rc, t->ras);
    return 0;
}

/* Rules of a rank are forgotten while it refreshes: rfc must outlast them all. */
static int check_refresh(const msw_dram_timing *t, msw_err *err)
{
    uint32_t longest =
        t->cl + t->cwl + t->bl + t->rtw + t->rtrs + t->wtr_l + t->faw + t->swap + t->sel;
    if (!t->refi)
        return 0;
    if (t->rfc >= DRAM_BLOCKED / 2)
        return msw_fail(err, "memory: rfc is %u, allowed are up to %u", t->rfc,
                        (unsigned)DRAM_BLOCKED / 2 - 1);
    if (t->rfc < longest)
        return msw_fail(err, "memory: rfc is %u, at least %u (the longest rule) is needed", t->rfc,
                        longest);
    if (t->refi < 2 * t->rfc)
        return msw_fail(err, "memory: refi is %u, less than twice rfc %u; 0 switches refresh off",
                        t->refi, t->rfc);
    if (t->refi <= (uint64_t)t->rfc + t->rp + t->ras + t->rcd)
        return msw_fail(err,
                        "memory: refi is %u: refreshes leave no time to open a row (rfc %u + rp %u "
                        "+ ras %u + rcd %u); 0 switches refresh off",
                        t->refi, t->rfc, t->rp, t->ras, t->rcd);
    return 0;
}

int msw_dram_check(const msw_dram_config *c, msw_err *err)
{
    if (check_organisation(c, err) || check_controller(c, err))
        return -1;
    if (c->kind == MSW_DRAM_BANKS) {
        MSW_TRY(check_timing(&c->t, err));
        return check_refresh(&c->t, err);
    }
    if (!(c->fixed_bytes_per_cycle > 1e-3 && c->fixed_bytes_per_cycle < 1e5))
        return msw_fail(err, "memory: fixed_bytes_per_cycle is %g, allowed are 0.001 to 100000",
                        c->fixed_bytes_per_cycle);
    return 0;
}
