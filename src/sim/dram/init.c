/* SPDX-License-Identifier: MIT */
/* dram_init: lays an object out in the memory of its caller and works out its rules. */
#include "sim/dram/state.h"

static uint32_t completions(const msw_dram_config *c)
{
    return (uint32_t)msw_bits_power(c->channels * (2 * c->read_depth + 2 * c->write_depth) + 64);
}

/* Hands out consecutive pieces of the caller's memory; with base NULL it only measures. */
static void *take(unsigned char *base, size_t *used, size_t count, size_t size)
{
    void *at = base ? base + *used : NULL;
    *used = msw_align_line(*used + count * size);
    return at;
}

static uint32_t window_of(const msw_dram_config *c, uint32_t depth)
{
    return c->window && c->window < depth ? c->window : depth;
}

/* Eight places for each request of the window make it rare that two rows share one. The shift
 * leaves as many upper bits of the hash as there are places. */
static void lay_out_side(dram_side *side, uint32_t depth, const msw_dram_config *c,
                         unsigned char *base, size_t *used)
{
    side->depth = depth;
    side->window = window_of(c, depth);
    uint32_t kin = (uint32_t)msw_bits_power(8 * side->window);
    for (side->kin_shift = 32; kin >> (32 - side->kin_shift) != 1;)
        side->kin_shift--;
    side->kin = take(base, used, kin, sizeof *side->kin);
    side->entry = take(base, used, side->window, sizeof *side->entry);
    side->ring = take(base, used, depth, sizeof *side->ring);
    /* A block more: choose() always looks at whole blocks. */
    side->candidate = take(base, used, side->window + DRAM_BLOCK, sizeof *side->candidate);
}

static size_t lay_out(msw_dram *dram, const msw_dram_config *c, unsigned char *base)
{
    size_t used = 0;
    uint32_t groups = c->ranks * c->groups;
    take(base, &used, 1, sizeof *dram);
    dram->done = take(base, &used, completions(c), sizeof *dram->done);
    dram->next_time = take(base, &used, c->channels, sizeof *dram->next_time);
    dram->server = take(base, &used, c->channels, sizeof *dram->server);
    dram->channel = take(base, &used, c->channels, sizeof *dram->channel);
    for (uint32_t i = 0; i < c->channels; i++) {
        dram_channel unplaced, *channel = base ? &dram->channel[i] : &unplaced;
        channel->unit =
            take(base, &used, (size_t)groups * c->banks * c->buffers, sizeof(dram_unit));
        channel->limit = take(base, &used, groups, 4 * sizeof *channel->limit);
        channel->selected = take(base, &used, (size_t)groups * c->banks, sizeof *channel->selected);
        channel->rank = take(base, &used, c->ranks, sizeof(dram_rank));
        lay_out_side(&channel->side[DRAM_READS], c->read_depth, c, base, &used);
        lay_out_side(&channel->side[DRAM_WRITES], c->write_depth, c, base, &used);
    }
    return used;
}

size_t msw_dram_bytes(const msw_dram_config *config)
{
    msw_dram unplaced;
    return lay_out(&unplaced, config, NULL);
}

/* ---- rules ---- */

static uint32_t at_least(int64_t value, uint32_t floor)
{
    return value > (int64_t)floor ? (uint32_t)value : floor;
}

/* Column command to column command: CAS to CAS, write to read, and the data bus. */
static uint32_t col_gap(const msw_dram_timing *t, uint32_t from, uint32_t relation, uint32_t to)
{
    static const uint32_t NONE = 1;
    uint32_t latency[2] = {t->cl, t->cwl};
    bool other = relation == DRAM_OTHER_RANK;
    uint32_t idle = from == DRAM_READS && to == DRAM_WRITES ? t->rtw : 0;
    if (other && idle < t->rtrs)
        idle = t->rtrs;
    /* The first burst has left the bus before the second enters it. */
    int64_t bus = (int64_t)latency[from] + t->bl + idle - latency[to];
    uint32_t ccd = relation == DRAM_SAME_GROUP ? t->ccd_l : other ? NONE : t->ccd_s;
    uint32_t gap = at_least(bus, ccd);
    if (from == DRAM_WRITES && to == DRAM_READS && !other)
        gap = at_least(t->cwl + t->bl + (relation == DRAM_SAME_GROUP ? t->wtr_l : t->wtr_s), gap);
    return gap;
}

/* Everything that can be computed once: the hot path only adds and compares. */
static void fill_rules(dram_rules *rules)
{
    const msw_dram_config *c = &rules->config;
    const msw_dram_timing *t = &c->t;
    rules->groups = c->ranks * c->groups;
    rules->banks_per_rank = c->groups * c->banks;
    rules->units_per_rank = rules->banks_per_rank * c->buffers;
    rules->units = rules->units_per_rank * c->ranks;
    rules->buffer_mask = c->buffers - 1;
    for (rules->buffer_shift = 0; (1u << rules->buffer_shift) < c->buffers;)
        rules->buffer_shift++;
    rules->hit_cap = c->closing == MSW_DRAM_CLOSE_OLDER ? 0 : c->hit_cap ? c->hit_cap : UINT32_MAX;
    rules->selects = t->sel && c->buffers > 1;
    rules->siblings = (rules->selects || t->swap || t->ra || t->wa) && c->buffers > 1;
    for (rules->burst_shift = 0; (1u << rules->burst_shift) < c->burst_bytes;)
        rules->burst_shift++;
    for (uint32_t from = 0; from < 2; from++)
        for (uint32_t relation = 0; relation < 3; relation++)
            for (uint32_t to = 0; to < 2; to++)
                rules->col_gap[from][relation][to] = col_gap(t, from, relation, to);
    rules->col_to_pre[DRAM_READS] = t->rtp;
    rules->col_to_pre[DRAM_WRITES] = t->cwl + t->bl + t->wr;
    rules->data_delay[DRAM_READS] = t->cl + t->bl;
    rules->data_delay[DRAM_WRITES] = t->cwl + t->bl;
}

static void start_side(dram_side *side)
{
    for (uint32_t i = 0; i < side->window; i++)
        side->entry[i].next = (uint16_t)(i + 1 < side->window ? i + 1 : DRAM_NONE);
    for (uint32_t i = 0; i < side->window + DRAM_BLOCK; i++)
        side->candidate[i].order = DRAM_UNUSED;
}

static void start_channel(const dram_rules *rules, dram_channel *channel)
{
    for (uint32_t u = 0; u < rules->units; u++) {
        dram_unit *unit = &channel->unit[u];
        uint32_t bank = u / rules->config.buffers;
        unit->group = (uint8_t)(bank / rules->config.banks);
        unit->rank = (uint8_t)(unit->group / rules->config.groups);
        channel->selected[bank] = (uint16_t)(u & ~rules->buffer_mask);
        unit->open_row = DRAM_NO_ROW;
        for (uint32_t side = 0; side < 2; side++)
            unit->list[side] = (dram_list){DRAM_NONE, DRAM_NONE, DRAM_NONE, DRAM_NONE, DRAM_NONE};
    }
    start_side(&channel->side[DRAM_READS]);
    start_side(&channel->side[DRAM_WRITES]);
    dram_refresh_start(rules, channel);
}

msw_dram *msw_dram_init(void *memory, const msw_dram_config *config, msw_err *err)
{
    if (msw_dram_check(config, err))
        return NULL;
    memset(memory, 0, msw_dram_bytes(config));
    msw_dram *dram = memory;
    lay_out(dram, config, memory);
    dram->rules.config = *config;
    fill_rules(&dram->rules);
    if (msw_dram_map_init(&dram->rules.map, config, err))
        return NULL;
    dram->done_mask = completions(config) - 1;
    dram->ahead = dram->rules.data_delay[DRAM_READS] + config->controller;
    dram->due = 1 - (int64_t)dram->rules.data_delay[DRAM_READS];
    if (!config->posted_writes)
        dram_go_together(dram);
    for (uint32_t i = 0; i < config->channels; i++) {
        dram->channel[i].index = i;
        if (config->kind == MSW_DRAM_FIXED)
            msw_dram_server_init(&dram->server[i], config->fixed_latency,
                                 config->fixed_bytes_per_cycle);
        dram->next_time[i] = MSW_DRAM_NEVER;
        start_channel(&dram->rules, &dram->channel[i]);
        if (config->kind == MSW_DRAM_BANKS)
            dram_plan(dram, &dram->channel[i]);
    }
    return dram;
}
