/* SPDX-License-Identifier: MIT */
#include "dram_rules.h"

bool is_column(const msw_dram_command *c)
{
    return c->kind == MSW_DRAM_RD || c->kind == MSW_DRAM_WR;
}

bool is_rank_wide(const msw_dram_command *c)
{
    return c->kind == MSW_DRAM_PREA || c->kind == MSW_DRAM_REF;
}

uint32_t rank_of(const msw_dram_config *c, const msw_dram_command *command)
{
    return command->bank / (c->groups * c->banks);
}

uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* From a command that ends a row's use to the moment the row buffer is precharged. */
static uint32_t gap_to_closed(const msw_dram_timing *t, const msw_dram_command *from)
{
    uint32_t write = t->cwl + t->bl + t->wr + t->rp, read = t->rtp + t->rp;
    if (from->kind == MSW_DRAM_PRE || from->kind == MSW_DRAM_PREA)
        return t->rp;
    if (from->kind == MSW_DRAM_ACT)
        return most(t->rc, t->ras + t->rp);
    return from->kind == MSW_DRAM_WR ? write : from->kind == MSW_DRAM_RD ? read : 0;
}

static uint32_t gap_same_buffer(const msw_dram_timing *t, const msw_dram_command *from,
                                const msw_dram_command *to)
{
    if (to->kind == MSW_DRAM_ACT || to->kind == MSW_DRAM_REF)
        return from->kind == MSW_DRAM_REF ? t->rfc : gap_to_closed(t, from);
    if (to->kind == MSW_DRAM_PRE || to->kind == MSW_DRAM_PREA) {
        bool closed_before = from->auto_precharge;
        return from->kind == MSW_DRAM_ACT                    ? t->ras
               : from->kind == MSW_DRAM_RD && !closed_before ? t->rtp
               : from->kind == MSW_DRAM_WR && !closed_before ? t->cwl + t->bl + t->wr
                                                             : 0;
    }
    if (to->kind == MSW_DRAM_SEL)
        return 0;
    return from->kind == MSW_DRAM_ACT ? t->rcd : from->kind == MSW_DRAM_SEL ? t->sel : 0;
}

/* Between two row buffers of a bank (MASA). */
static uint32_t gap_sibling(const msw_dram_timing *t, const msw_dram_command *from,
                            const msw_dram_command *to)
{
    if (!is_column(from) || (to->kind != MSW_DRAM_ACT && to->kind != MSW_DRAM_SEL))
        return 0;
    return from->kind == MSW_DRAM_RD ? t->ra : t->wa;
}

static uint32_t gap_columns(const msw_dram_config *c, const msw_dram_command *from,
                            const msw_dram_command *to)
{
    const msw_dram_timing *t = &c->t;
    bool same_rank = rank_of(c, from) == rank_of(c, to);
    bool same_group = from->bank / c->banks == to->bank / c->banks;
    uint32_t gap = same_group ? t->ccd_l : same_rank ? t->ccd_s : 0;
    if (same_rank && from->kind == MSW_DRAM_WR && to->kind == MSW_DRAM_RD)
        gap = most(gap, t->cwl + t->bl + (same_group ? t->wtr_l : t->wtr_s));
    if (from->bank == to->bank && from->buffer != to->buffer && t->swap)
        gap = most(gap, t->ccd_l + t->swap);
    return gap;
}

/* Data of `to` must begin after that of `from` has ended and the bus has turned round. */
static bool bus_fits(const msw_dram_config *c, const msw_dram_command *from,
                     const msw_dram_command *to)
{
    const msw_dram_timing *t = &c->t;
    uint32_t idle = from->kind == MSW_DRAM_RD && to->kind == MSW_DRAM_WR ? t->rtw : 0;
    if (rank_of(c, from) != rank_of(c, to))
        idle = most(idle, t->rtrs);
    uint64_t end = from->time + (from->kind == MSW_DRAM_RD ? t->cl : t->cwl) + t->bl + idle;
    return to->time + (to->kind == MSW_DRAM_RD ? t->cl : t->cwl) >= end;
}

static bool pair_fits(const msw_dram_config *c, const msw_dram_command *from,
                      const msw_dram_command *to)
{
    uint64_t apart = to->time - from->time;
    bool same_rank = rank_of(c, from) == rank_of(c, to);
    bool same_group = from->bank / c->banks == to->bank / c->banks;
    bool wide = is_rank_wide(from) || is_rank_wide(to);
    bool same_buffer = from->bank == to->bank && from->buffer == to->buffer;
    if (apart == 0 && (c->command_buses == 1 || is_column(from) == is_column(to)))
        return false;
    if ((same_buffer || wide) && same_rank && apart < gap_same_buffer(&c->t, from, to))
        return false;
    if (from->bank == to->bank && !wide && !same_buffer && apart < gap_sibling(&c->t, from, to))
        return false;
    if (from->kind == MSW_DRAM_ACT && to->kind == MSW_DRAM_ACT && same_rank &&
        apart < (same_group ? c->t.rrd_l : c->t.rrd_s))
        return false;
    if (is_column(from) && is_column(to))
        return apart >= gap_columns(c, from, to) && bus_fits(c, from, to);
    return true;
}

static uint32_t horizon(const msw_dram_timing *t)
{
    uint32_t longest = most(t->rc, t->ras + t->rp) + t->faw + t->cwl + t->cl + t->bl + t->wr;
    return longest + t->wtr_l + t->rfc + t->rp + t->rtp + t->ccd_l + t->swap + t->rrd_l + t->rtw;
}

/* PREA leaves alone a row buffer that closes itself. */
static bool closes_itself(const dram_history *h, size_t i)
{
    const msw_dram_command *early = &h->command[i];
    for (size_t j = i + 1; j < h->count; j++) {
        const msw_dram_command *c = &h->command[j];
        if (c->auto_precharge && c->bank == early->bank && c->buffer == early->buffer)
            return true;
    }
    return false;
}

bool command_fits(const dram_history *h, const msw_dram_command *next)
{
    const msw_dram_config *c = h->config;
    uint32_t acts = 0;
    for (size_t i = h->count; i-- > 0;) {
        const msw_dram_command *from = &h->command[i];
        if (next->time - from->time > horizon(&c->t))
            break;
        if (from->channel != next->channel)
            continue;
        if (!pair_fits(c, from, next) && !(next->kind == MSW_DRAM_PREA && closes_itself(h, i)))
            return false;
        if (from->kind == MSW_DRAM_ACT && rank_of(c, from) == rank_of(c, next) && ++acts == 4 &&
            next->kind == MSW_DRAM_ACT && next->time - from->time < c->t.faw)
            return false;
    }
    return true;
}

/* ---- random configurations and requests ---- */

static uint32_t pick(msw_rng *rng, uint32_t min, uint32_t max)
{
    return min + (uint32_t)msw_rng_below(rng, max - min + 1);
}

static msw_dram_timing random_timing(msw_rng *rng)
{
    msw_dram_timing t = {.bl = pick(rng, 1, 4), .cl = pick(rng, 3, 24), .cwl = pick(rng, 2, 20)};
    t.rcd = pick(rng, 3, 22);
    t.rp = pick(rng, 3, 22);
    t.ras = t.rcd + pick(rng, 0, 30);
    t.rc = t.ras + pick(rng, 0, 25);
    t.ccd_s = pick(rng, 1, 5);
    t.ccd_l = t.ccd_s + pick(rng, 0, 5);
    t.rtp = pick(rng, 1, 12);
    t.rrd_s = pick(rng, 1, 6);
    t.rrd_l = t.rrd_s + pick(rng, 0, 6);
    t.faw = pick(rng, 1, 40);
    t.wr = pick(rng, 0, 24);
    t.wtr_s = pick(rng, 0, 6);
    t.wtr_l = t.wtr_s + pick(rng, 0, 8);
    t.rtw = pick(rng, 0, 4);
    t.rtrs = pick(rng, 0, 3);
    t.swap = pick(rng, 0, 1) ? 0 : pick(rng, 1, 4);
    t.sel = pick(rng, 0, 2);
    t.ra = pick(rng, 0, 1) ? 0 : pick(rng, 1, t.rp < 8 ? t.rp : 8);
    t.wa = pick(rng, 0, 1) ? 0 : pick(rng, 1, t.cwl + t.bl + t.wr);
    t.rfc = 160 + pick(rng, 0, 60);
    t.refi = pick(rng, 0, 2) ? 2 * t.rfc + pick(rng, 0, 900) : 0;
    return t;
}

msw_dram_config random_config(msw_rng *rng)
{
    static const char *const MAPS[] = {"row rank bg bank ch col", "row col rank bank bg ch",
                                       "rank row:1 bank row col:1 bg ch col",
                                       "ch rank bank bg row col"};
    msw_dram_config c = {.clock_ps = 1000, .burst_bytes = 32, .rows = 64, .columns = 8};
    c.channels = 1u << pick(rng, 0, 2);
    c.ranks = 1u << pick(rng, 0, 2);
    c.groups = 1u << pick(rng, 0, 2);
    c.banks = 1u << pick(rng, 0, 2);
    c.buffers = 1u << pick(rng, 0, 2);
    c.map = MAPS[pick(rng, 0, 3)];
    c.hash = (msw_dram_hash)pick(rng, 0, 1);
    c.page = (msw_dram_page)pick(rng, 0, 2);
    c.closing = (msw_dram_closing)pick(rng, 0, 1);
    c.hit_cap = pick(rng, 0, 1) ? 0 : pick(rng, 1, 6);
    c.read_depth = pick(rng, 1, 40);
    c.write_depth = pick(rng, 2, 40);
    c.window = pick(rng, 0, 1) ? 0 : pick(rng, 1, 40);
    c.write_high = pick(rng, 1, c.write_depth);
    c.write_low = pick(rng, 0, c.write_high - 1);
    c.controller = pick(rng, 1, 3);
    c.command_buses = pick(rng, 1, 2);
    c.posted_writes = pick(rng, 0, 1);
    c.forward = pick(rng, 0, 1);
    c.t = random_timing(rng);
    return c;
}

dram_source random_source(msw_rng *rng, const msw_dram_config *c)
{
    dram_source s = {.burst_bytes = c->burst_bytes, .rng = *rng};
    s.bursts = (uint64_t)c->channels * c->ranks * c->groups * c->banks * c->rows * c->columns;
    s.jump = pick(rng, 0, 16);
    s.write = pick(rng, 0, 1) ? 0 : pick(rng, 0, 16);
    s.pause = pick(rng, 0, 1) ? 0 : pick(rng, 0, 16);
    return s;
}

uint64_t source_next(dram_source *s, bool *is_write, uint64_t *wait)
{
    bool jump = pick(&s->rng, 0, 15) < s->jump;
    s->walk = jump ? msw_rng_below(&s->rng, s->bursts) : (s->walk + 1) % s->bursts;
    *is_write = pick(&s->rng, 0, 15) < s->write;
    *wait = pick(&s->rng, 0, 15) < s->pause ? pick(&s->rng, 0, 200) : pick(&s->rng, 0, 2);
    return s->walk * s->burst_bytes + pick(&s->rng, 0, s->burst_bytes - 1);
}
