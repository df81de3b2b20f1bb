/* SPDX-License-Identifier: MIT */
/* dram_schedule: the command that comes next, its time, and what it does to its row buffer, its
 * rank and the data bus.
 *
 * Of all candidates the one that can go first goes; among those that can go in the same cycle a
 * refresh step comes first, then the oldest column command, then the oldest ACT or PRE (FR-FCFS).
 * The choice is made again after every command and every arrival, and holds in between.
 *
 * Every rule between two commands is stored as "not before" times: those within a row buffer in the
 * unit, those between banks in the limits of each group. The data bus needs no state of its own:
 * bursts follow each other in command order, so a column command bounds the next one directly
 * (rules.col_gap). */
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

enum { ORDER_BITS = DRAM_AGE_BITS + 1 };

/* A single command bus is kept as two that are free at the same time. */
static inline uint64_t base_of(const dram_channel *channel, uint32_t buses)
{
    const uint64_t *bus = channel->bus_free;
    return buses == 1 || bus[0] < bus[1] ? bus[0] : bus[1];
}

/* Smaller goes first: cycles from base, then column before row commands, then age. `buses` is a
 * constant where it counts. */
static inline uint64_t key_of(const dram_channel *channel, uint64_t base, uint32_t buses,
                              const dram_candidate *c)
{
    uint64_t time = msw_max_u64(c->ready, channel->limit[c->limit]);
    time = msw_max_u64(time, buses == 1 ? base : channel->bus_free[c->limit >> 1 & 1]);
    return (time - base) << ORDER_BITS | c->order;
}

/* The next event: a command, or a refresh step, for which there is no candidate. */
typedef struct event {
    uint64_t time;
    const dram_candidate *command;
} event;

static inline event refresh_or(const dram_channel *channel, uint64_t time,
                               const dram_candidate *command)
{
    uint64_t refresh = msw_max_u64(channel->ref_time, channel->bus_free[0]);
    if (refresh <= time)
        return (event){refresh, NULL};
    return (event){time, command};
}

/* In blocks with unused places rather than to the exact end, which no branch predictor knows. */
static inline event choose(const dram_channel *channel, uint32_t buses)
{
    const dram_side *side = &channel->side[channel->mode];
    const dram_candidate *first = side->candidate, *end = first + side->candidates, *chosen = first;
    uint64_t base = base_of(channel, buses), best = UINT64_MAX;
    for (const dram_candidate *c = first; c < end; c += DRAM_BLOCK)
        for (uint32_t i = 0; i < DRAM_BLOCK; i++) {
            uint64_t key = key_of(channel, base, buses, c + i);
            chosen = key < best ? c + i : chosen;
            best = key < best ? key : best;
        }
    return refresh_or(channel, first < end ? base + (best >> ORDER_BITS) : DRAM_FAR, chosen);
}

static inline event choose_next(const msw_dram *dram, const dram_channel *channel)
{
    return dram->rules.config.command_buses == 1 ? choose(channel, 1) : choose(channel, 2);
}

static inline void set_plan(msw_dram *dram, dram_channel *channel, event next)
{
    dram->next_time[channel->index] = next.time;
    channel->next = next.command;
}

void dram_plan(msw_dram *dram, dram_channel *channel)
{
    set_plan(dram, channel, choose_next(dram, channel));
}

/* An arrival can only change the candidate of its own unit. So the choice stays, unless the new
 * candidate beats it or the choice itself was that candidate, which may have changed. */
void dram_plan_arrival(msw_dram *dram, dram_channel *channel, uint32_t unit)
{
    const dram_candidate *at =
        &channel->side[channel->mode].candidate[channel->unit[unit].list[channel->mode].candidate];
    if (!channel->next || at == channel->next) {
        dram_plan(dram, channel);
        return;
    }
    uint64_t base = base_of(channel, 2), key = key_of(channel, base, 2, at);
    if (key < key_of(channel, base, 2, channel->next))
        set_plan(dram, channel, refresh_or(channel, base + (key >> ORDER_BITS), at));
}

/* The plan is kept in registers while several commands follow each other, and written back at the
 * end. */
void dram_advance_channel(msw_dram *dram, dram_channel *channel, uint64_t before)
{
    event next = {dram->next_time[channel->index], channel->next};
    if (next.time >= before)
        return;
    do {
        if (next.command)
            dram_issue(dram, channel, next.command, next.time);
        else
            dram_refresh_step(dram, channel, next.time);
        next = choose_next(dram, channel);
    } while (next.time < before);
    set_plan(dram, channel, next);
}

/* The channel whose event is first. */
static inline uint32_t earliest_channel(const msw_dram *dram)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < dram->rules.config.channels; i++)
        first = dram->next_time[i] < dram->next_time[first] ? i : first;
    return first;
}

/* Idle channels do not play the refreshes before the first command of the others: where that is
 * far, as behind a requester that takes long, they would take all of the time. */
static void skip_idle_refreshes(msw_dram *dram, uint64_t limit)
{
    uint32_t channels = dram->rules.config.channels;
    for (uint32_t i = 0; i < channels; i++)
        if (!dram_is_idle(&dram->channel[i]))
            limit = msw_min_u64(limit, dram->next_time[i]);
    for (uint32_t i = 0; i < channels && limit < DRAM_FAR; i++)
        if (dram_is_idle(&dram->channel[i])) {
            dram_refresh_skip(dram, &dram->channel[i], limit);
            dram_plan(dram, &dram->channel[i]);
        }
}

/* Channels with an event before `time`, out of 64 from `first` on. Without branches: nobody knows
 * which it will be. */
static inline uint64_t channels_before(const msw_dram *dram, uint32_t first, int64_t time)
{
    uint32_t count = dram->rules.config.channels - first;
    uint64_t mask = 0;
    for (uint32_t i = 0; i < (count < 64 ? count : 64); i++)
        mask |= (uint64_t)((int64_t)dram->next_time[first + i] < time) << i;
    return mask;
}

static void advance_those_before(msw_dram *dram, int64_t time, uint64_t before)
{
    for (uint32_t first = 0; first < dram->rules.config.channels; first += 64)
        for (uint64_t left = channels_before(dram, first, time); left && dram->pending;
             left &= left - 1)
            dram_advance_channel(dram, &dram->channel[first + msw_bits_lowest(left)], before);
}

/* Nobody has to be waited for: it goes as far as it may. */
static void advance_only_channel(msw_dram *dram, uint64_t limit)
{
    uint32_t controller = dram->rules.config.controller;
    while (dram->pending) {
        uint64_t now = dram->next_time[0];
        uint64_t before = msw_min_u64(dram_first_done(dram), limit) + controller;
        if (now >= before)
            return;
        dram_advance_channel(dram, dram->channel, msw_min_u64(now + dram->ahead, before));
    }
}

/* What happens up to the first completion or the limit cannot be influenced by the caller any more,
 * whatever is pushed then. A channel goes on when it is asked for, or when its next command could
 * complete something sooner than what is known; then as far as it may, since no command completes
 * anything within `ahead` cycles. */
void dram_advance_until(msw_dram *dram, uint64_t limit)
{
    limit = limit < DRAM_FAR ? limit : DRAM_FAR;
    if (dram->rules.config.channels == 1) {
        advance_only_channel(dram, limit);
        return;
    }
    while (dram->pending) {
        uint64_t wanted = msw_min_u64(dram_first_done(dram), limit);
        int64_t due = (int64_t)wanted + dram->due;
        if ((int64_t)dram->earliest >= due)
            return;
        uint32_t first = earliest_channel(dram);
        dram->earliest = dram->next_time[first];
        if ((int64_t)dram->earliest >= due)
            return;
        if (dram_is_idle(&dram->channel[first])) {
            skip_idle_refreshes(dram, wanted);
            dram->earliest = dram->next_time[earliest_channel(dram)];
        }
        advance_those_before(
            dram, due,
            msw_min_u64(wanted + dram->rules.config.controller, dram->earliest + dram->ahead));
    }
}
