/* dram_bank: what a command does to its row buffer, its rank and the data bus.
 *
 * Every rule between two commands is kept as "not before" times: those within a row buffer in the
 * unit, those between banks in the limits of each group. The data bus needs no state of its own:
 * bursts follow each other in command order, so a column command bounds the next one directly
 * (rules.col_gap). */
#include "dram_queue.h"

void dram_record(msw_dram *dram, const dram_channel *channel, msw_dram_command command)
{
    command.channel = channel->index;
    if (dram->traced < dram->trace_capacity)
        dram->trace[dram->traced] = command;
    dram->traced++;
}

static void record(msw_dram *dram, const dram_channel *channel, const dram_unit *unit,
                   uint64_t time, uint32_t row, msw_dram_command_kind kind, bool closes)
{
    if (dram->trace)
        dram_record(dram, channel,
                    (msw_dram_command){.time = time,
                                       .bank = unit->bank,
                                       .buffer = unit->buffer,
                                       .row = row,
                                       .kind = (uint8_t)kind,
                                       .auto_precharge = closes});
}

static inline void first_command(dram_request *request, uint64_t time, msw_dram_outcome outcome)
{
    if (request->first)
        return;
    request->first = time;
    request->outcome = (uint8_t)outcome;
}

static void activate(msw_dram *dram, dram_channel *channel, dram_unit *unit, uint64_t time)
{
    const dram_rules *rules = &dram->rules;
    const msw_dram_timing *t = &rules->config.t;
    uint32_t mode = channel->mode;
    dram_request *request = &channel->side[mode].entry[unit->list[mode].head];
    first_command(request, time, MSW_DRAM_CLOSED);
    unit->open_row = request->row;
    unit->hits = 0;
    unit->act_ready = time + t->rc;
    unit->pre_ready = time + t->ras;
    unit->col_ready = dram_max(unit->col_ready, time + t->rcd);
    dram_find_hits(channel, unit);

    dram_rank *rank = &channel->rank[unit->rank];
    rank->faw[rank->faw_at] = time + t->faw;
    rank->faw_at = (rank->faw_at + 1) & 3;
    uint64_t bound = dram_max(rank->faw[rank->faw_at], time + t->rrd_s);
    uint32_t groups = rules->config.groups, begin = unit->rank * groups;
    for (uint32_t g = begin; g < begin + groups; g++)
        channel->limit[g].at[DRAM_DO_ACT] = dram_max(channel->limit[g].at[DRAM_DO_ACT], bound);
    uint64_t *own = &channel->limit[unit->group].at[DRAM_DO_ACT];
    *own = dram_max(*own, time + t->rrd_l);
    channel->stats.commands_act++;
    record(dram, channel, unit, time, unit->open_row, MSW_DRAM_ACT, false);
}

static void close_row(dram_unit *unit, uint64_t time, uint32_t rp)
{
    unit->open_row = DRAM_NO_ROW;
    unit->act_ready = dram_max(unit->act_ready, time + rp);
    unit->list[DRAM_READS].hit = unit->list[DRAM_WRITES].hit = DRAM_NONE;
}

static void precharge(msw_dram *dram, dram_channel *channel, dram_unit *unit, uint64_t time)
{
    uint32_t mode = channel->mode;
    first_command(&channel->side[mode].entry[unit->list[mode].head], time, MSW_DRAM_CONFLICT);
    record(dram, channel, unit, time, unit->open_row, MSW_DRAM_PRE, false);
    close_row(unit, time, dram->rules.config.t.rp);
    channel->stats.commands_pre++;
}

static void bound_columns(const dram_rules *rules, dram_channel *channel, const dram_unit *unit,
                          uint64_t time)
{
    const uint32_t(*gap)[2] = rules->col_gap[channel->mode];
    uint32_t group = 0;
    for (uint32_t r = 0; r < rules->config.ranks; r++)
        for (uint32_t g = 0; g < rules->config.groups; g++, group++) {
            uint32_t relation = r != unit->rank        ? DRAM_OTHER_RANK
                                : group == unit->group ? DRAM_SAME_GROUP
                                                       : DRAM_SAME_RANK;
            uint64_t *at = channel->limit[group].at;
            at[DRAM_DO_RD] = dram_max(at[DRAM_DO_RD], time + gap[relation][DRAM_READS]);
            at[DRAM_DO_WR] = dram_max(at[DRAM_DO_WR], time + gap[relation][DRAM_WRITES]);
        }
}

/* The other row buffers of the bank wait `swap` cycles longer for the column path. */
static void bound_siblings(const dram_rules *rules, dram_channel *channel, uint32_t index,
                           uint64_t time)
{
    uint32_t first = index & ~rules->buffer_mask;
    uint64_t ready = time + rules->config.t.ccd_l + rules->config.t.swap;
    for (uint32_t u = first; u <= first + rules->buffer_mask; u++)
        if (u != index) {
            channel->unit[u].col_ready = dram_max(channel->unit[u].col_ready, ready);
            dram_candidate_update(rules, channel, u);
        }
}

static void count_column(dram_channel *channel, const dram_rules *rules, const dram_request *r,
                         uint64_t end)
{
    msw_dram_stats *s = &channel->stats;
    s->hits += r->outcome == MSW_DRAM_HIT;
    s->closed += r->outcome == MSW_DRAM_CLOSED;
    s->conflicts += r->outcome == MSW_DRAM_CONFLICT;
    s->data_cycles += rules->config.t.bl;
    s->last_data = dram_max(s->last_data, end);
    if (channel->mode == DRAM_WRITES) {
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

static bool closes_row(const dram_rules *rules, const dram_unit *unit, uint32_t mode)
{
    return rules->config.page == MSW_DRAM_CLOSED_PAGE ||
           (rules->config.page == MSW_DRAM_CLOSED_LAST && unit->list[mode].hit == DRAM_NONE);
}

static void column(msw_dram *dram, dram_channel *channel, uint32_t index, uint64_t time)
{
    const dram_rules *rules = &dram->rules;
    uint32_t mode = channel->mode;
    dram_unit *unit = &channel->unit[index];
    uint16_t at = unit->list[mode].hit;
    dram_request *request = &channel->side[mode].entry[at];
    uint64_t end = time + rules->data_delay[mode];
    first_command(request, time, MSW_DRAM_HIT);
    count_column(channel, rules, request, end);
    if (mode == DRAM_READS || !rules->config.posted_writes)
        dram_done_insert(dram, (msw_dram_completion){.time = end,
                                                     .tag = request->tag,
                                                     .arrival = request->arrival,
                                                     .is_write = mode == DRAM_WRITES,
                                                     .outcome = request->outcome});
    unit->pre_ready = dram_max(unit->pre_ready, time + rules->col_to_pre[mode]);
    unit->hits++;
    bound_columns(rules, channel, unit, time);
    uint32_t row = unit->open_row;
    dram_dequeue(rules, channel, mode, at);
    dram->pending--;
    bool closes = closes_row(rules, unit, mode);
    if (closes) {
        close_row(unit, unit->pre_ready, rules->config.t.rp);
        channel->stats.auto_precharges++;
    }
    record(dram, channel, unit, time, row, mode == DRAM_READS ? MSW_DRAM_RD : MSW_DRAM_WR, closes);
    if (rules->config.t.swap && rules->buffer_mask)
        bound_siblings(rules, channel, index, time);
}

void dram_issue(msw_dram *dram, dram_channel *channel, const dram_candidate *candidate,
                uint64_t time)
{
    uint32_t index = candidate->unit, command = candidate->command;
    dram_use_bus(&dram->rules, channel, command >= DRAM_DO_RD, time);
    if (command == DRAM_DO_ACT)
        activate(dram, channel, &channel->unit[index], time);
    else if (command == DRAM_DO_PRE)
        precharge(dram, channel, &channel->unit[index], time);
    else
        column(dram, channel, index, time);
    dram_candidate_update(&dram->rules, channel, index);
    if (command >= DRAM_DO_RD)
        dram_choose_mode(&dram->rules, channel);
}
