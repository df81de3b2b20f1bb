/* SPDX-License-Identifier: MIT */
/* dram_bank: what a command does to its row buffer, its rank and the data bus.
 *
 * Every rule between two commands is kept as "not before" times: those within a row buffer in the
 * unit, those between banks in the limits of each group. The data bus needs no state of its own:
 * bursts follow each other in command order, so a column command bounds the next one directly
 * (rules.col_gap). Inline, for schedule.c alone. */
#ifndef MSW_SIM_DRAM_BANK_H
#define MSW_SIM_DRAM_BANK_H

#include "sim/dram/queue.h"

static inline void dram_trace_unit(msw_dram *dram, const dram_channel *channel, uint32_t index,
                                   uint64_t time, uint32_t row, msw_dram_command_kind kind,
                                   bool closes)
{
    if (dram->trace)
        dram_record(dram, channel,
                    (msw_dram_command){.time = time,
                                       .bank = index >> dram->rules.buffer_shift,
                                       .buffer = index & dram->rules.buffer_mask,
                                       .row = row,
                                       .kind = (uint8_t)kind,
                                       .auto_precharge = closes});
}

static inline void dram_first_command(dram_request *request, uint64_t time)
{
    if (!request->first)
        request->first = time;
}

static inline void dram_raise_to(uint64_t *at, uint64_t time)
{
    *at = msw_max_u64(*at, time);
}

/* Whether a row buffer may be selected depends on the others of its bank. */
static inline void dram_update_bank(const dram_rules *rules, dram_channel *channel, uint32_t index)
{
    uint32_t first = index & ~rules->buffer_mask;
    if (!rules->selects) {
        dram_candidate_update(rules, channel, channel->mode, index);
        return;
    }
    for (uint32_t u = first; u <= first + rules->buffer_mask; u++)
        dram_candidate_update(rules, channel, channel->mode, u);
}

/* rrd_s and the window of four ACTs (faw) hold in the whole rank, rrd_l in the ACT's own group. */
static inline void dram_bound_acts(const dram_rules *rules, dram_channel *channel,
                                   const dram_unit *unit, uint64_t time, uint64_t window_end)
{
    const msw_dram_timing *t = &rules->config.t;
    uint32_t groups = rules->config.groups;
    uint64_t rank = msw_max_u64(window_end, time + t->rrd_s);
    uint64_t *limit = &channel->limit[unit->rank * groups * 4 + DRAM_DO_ACT];
    for (uint32_t g = 0; g < groups; g++)
        dram_raise_to(&limit[g * 4], rank);
    dram_raise_to(&channel->limit[unit->group * 4u + DRAM_DO_ACT], time + t->rrd_l);
}

static inline void dram_activate(msw_dram *dram, dram_channel *channel, uint32_t index,
                                 uint64_t time)
{
    dram_unit *unit = &channel->unit[index];
    const dram_rules *rules = &dram->rules;
    const msw_dram_timing *t = &rules->config.t;
    uint32_t mode = channel->mode;
    dram_request *request = &channel->side[mode].entry[unit->list[mode].head];
    dram_first_command(request, time);
    unit->open_row = request->row;
    unit->hits = 0;
    unit->opened = unit->precharged ? MSW_DRAM_CONFLICT : MSW_DRAM_CLOSED;
    unit->precharged = false;
    unit->act_ready = time + t->rc;
    unit->pre_ready = time + t->ras;
    unit->col_ready = msw_max_u64(unit->col_ready, time + t->rcd);
    dram_find_hits(channel, unit);

    dram_rank *rank = &channel->rank[unit->rank];
    /* A ring of four: the place after the one just written holds the oldest ACT, whose window ends
     * first and bounds the next ACT. */
    rank->faw[rank->faw_at] = time + t->faw;
    rank->faw_at = (rank->faw_at + 1) & 3;
    dram_bound_acts(rules, channel, unit, time, rank->faw[rank->faw_at]);
    channel->stats.commands_act++;
    dram_trace_unit(dram, channel, index, time, unit->open_row, MSW_DRAM_ACT, false);
    dram_update_bank(rules, channel, index);
}

static inline void dram_close_row(dram_unit *unit, uint64_t time, uint32_t rp)
{
    unit->open_row = DRAM_NO_ROW;
    unit->act_ready = msw_max_u64(unit->act_ready, time + rp);
    unit->list[DRAM_READS].hit = unit->list[DRAM_WRITES].hit = DRAM_NONE;
}

static inline void dram_precharge(msw_dram *dram, dram_channel *channel, uint32_t index,
                                  uint64_t time)
{
    dram_unit *unit = &channel->unit[index];
    uint32_t mode = channel->mode;
    dram_first_command(&channel->side[mode].entry[unit->list[mode].head], time);
    dram_trace_unit(dram, channel, index, time, unit->open_row, MSW_DRAM_PRE, false);
    dram_close_row(unit, time, dram->rules.config.t.rp);
    unit->precharged = true;
    channel->stats.commands_pre++;
    dram_update_bank(&dram->rules, channel, index);
}

static inline void dram_select(msw_dram *dram, dram_channel *channel, uint32_t index, uint64_t time)
{
    dram_unit *unit = &channel->unit[index];
    uint32_t mode = channel->mode;
    dram_first_command(&channel->side[mode].entry[unit->list[mode].hit], time);
    channel->selected[index >> dram->rules.buffer_shift] = (uint16_t)index;
    unit->col_ready = msw_max_u64(unit->col_ready, time + dram->rules.config.t.sel);
    channel->stats.commands_sel++;
    dram_trace_unit(dram, channel, index, time, unit->open_row, MSW_DRAM_SEL, false);
    dram_update_bank(&dram->rules, channel, index);
}

static inline void dram_bound_groups(uint64_t *limit, uint32_t groups, uint64_t time,
                                     const uint32_t gap[2])
{
    uint64_t read = time + gap[DRAM_READS], write = time + gap[DRAM_WRITES];
    for (const uint64_t *end = limit + (size_t)groups * 4; limit < end; limit += 4) {
        dram_raise_to(&limit[DRAM_DO_RD], read);
        dram_raise_to(&limit[DRAM_DO_WR], write);
    }
}

/* The gaps within a group are never shorter than those within a rank. */
static inline void dram_bound_columns(const dram_rules *rules, dram_channel *channel, uint32_t mode,
                                      const dram_unit *unit, uint64_t time)
{
    const uint32_t(*gap)[2] = rules->col_gap[mode];
    uint32_t groups = rules->config.groups;
    dram_bound_groups(&channel->limit[unit->group * 4u], 1, time, gap[DRAM_SAME_GROUP]);
    if (rules->groups == 1)
        return;
    for (uint32_t r = 0; r < rules->config.ranks; r++)
        dram_bound_groups(&channel->limit[r * groups * 4], groups, time,
                          gap[r == unit->rank ? DRAM_SAME_RANK : DRAM_OTHER_RANK]);
}

/* The other row buffers of the bank wait `swap` cycles longer for the column path, and `ra` or `wa`
 * before they open a row or are selected. */
static inline void dram_bound_siblings(const dram_rules *rules, dram_channel *channel,
                                       uint32_t mode, uint32_t index, uint64_t time)
{
    const msw_dram_timing *t = &rules->config.t;
    uint32_t first = index & ~rules->buffer_mask;
    uint64_t column = time + t->ccd_l + t->swap;
    uint64_t row = time + (mode == DRAM_READS ? t->ra : t->wa);
    for (uint32_t u = first; u <= first + rules->buffer_mask; u++)
        if (u != index) {
            dram_unit *unit = &channel->unit[u];
            dram_raise_to(&unit->col_ready, t->swap ? column : 0);
            dram_raise_to(&unit->act_ready, row);
            dram_raise_to(&unit->sel_ready, row);
            dram_candidate_update(rules, channel, channel->mode, u);
        }
}

static inline void dram_count_column(dram_channel *channel, const dram_rules *rules, uint32_t mode,
                                     const dram_request *r, uint64_t end)
{
    msw_dram_stats *s = &channel->stats;
    s->by_outcome[r->outcome]++;
    s->data_cycles += rules->config.t.bl;
    s->last_data = end; /* data leave in command order */
    if (mode == DRAM_WRITES) {
        s->commands_wr++;
        s->bytes_written += r->bytes;
        s->write_queueing += r->first - r->arrival;
        s->write_service += end - r->first;
        return;
    }
    s->commands_rd++;
    s->bytes_read += r->bytes;
    s->read_queueing += r->first - r->arrival;
    s->read_service += end - r->first;
    dram_count_latency(s, end - r->arrival);
}

static inline void dram_complete(msw_dram *dram, uint32_t channel, const dram_request *request,
                                 bool is_write, uint64_t end)
{
    msw_dram_completion *done = dram_done_insert(dram, end, channel);
    done->channel = (uint16_t)channel;
    done->tag = request->tag;
    done->arrival = request->arrival;
    done->is_write = is_write;
    done->outcome = request->outcome;
}

static inline bool dram_closes_row(const dram_rules *rules, const dram_unit *unit, uint32_t mode)
{
    if (rules->config.page == MSW_DRAM_OPEN_PAGE)
        return false;
    return rules->config.page == MSW_DRAM_CLOSED_PAGE || unit->list[mode].hit == DRAM_NONE;
}

static inline void dram_column(msw_dram *dram, dram_channel *channel, uint32_t mode, uint32_t index,
                               uint64_t time)
{
    const dram_rules *rules = &dram->rules;
    dram_unit *unit = &channel->unit[index];
    uint16_t at = unit->list[mode].hit;
    dram_request *request = &channel->side[mode].entry[at];
    uint64_t end = time + rules->data_delay[mode];
    dram_first_command(request, time);
    request->outcome = unit->hits ? MSW_DRAM_HIT : unit->opened;
    dram_count_column(channel, rules, mode, request, end);
    if (mode == DRAM_READS || !rules->config.posted_writes)
        dram_complete(dram, channel->index, request, mode == DRAM_WRITES, end);
    unit->pre_ready = msw_max_u64(unit->pre_ready, time + rules->col_to_pre[mode]);
    unit->hits++;
    dram_bound_columns(rules, channel, mode, unit, time);
    uint32_t row = unit->open_row;
    dram_dequeue(rules, channel, mode, at);
    dram->pending--;
    bool closes = dram_closes_row(rules, unit, mode);
    if (closes) {
        dram_close_row(unit, unit->pre_ready, rules->config.t.rp);
        channel->stats.auto_precharges++;
    }
    dram_trace_unit(dram, channel, index, time, row, mode == DRAM_READS ? MSW_DRAM_RD : MSW_DRAM_WR,
                    closes);
    if (rules->siblings)
        dram_bound_siblings(rules, channel, mode, index, time);
    dram_candidate_update(rules, channel, mode, index);
    dram_choose_mode(rules, channel);
}

/* SEL is bound as PRE is; but a unit that has hits closes its row by its other candidate. */
static inline bool dram_is_select(const dram_rules *rules, const dram_channel *channel,
                                  const dram_candidate *candidate)
{
    return rules->selects && !candidate->closes &&
           channel->unit[candidate->unit].list[channel->mode].hit != DRAM_NONE;
}

static inline void dram_issue(msw_dram *dram, dram_channel *channel,
                              const dram_candidate *candidate, uint64_t time)
{
    uint32_t index = candidate->unit, command = candidate->limit & 3;
    dram_use_bus(&dram->rules, channel, command >= DRAM_DO_RD, time);
    if (command >= DRAM_DO_RD)
        dram_column(dram, channel, command - DRAM_DO_RD, index, time);
    else if (command == DRAM_DO_ACT)
        dram_activate(dram, channel, index, time);
    else if (dram_is_select(&dram->rules, channel, candidate))
        dram_select(dram, channel, index, time);
    else
        dram_precharge(dram, channel, index, time);
}

#endif
