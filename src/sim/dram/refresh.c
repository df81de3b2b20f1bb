/* SPDX-License-Identifier: MIT */
/* dram_refresh: all-bank refresh of one rank after the other.
 *
 * When a refresh falls due (every refi, ranks staggered evenly) its rank takes no further commands;
 * as soon as its open rows may close one PREA closes them, REF follows rp later, and the rank opens
 * rows again rfc after REF. Other ranks go on meanwhile. */
#include "sim/dram/queue.h"

void dram_record(msw_dram *dram, const dram_channel *channel, msw_dram_command command)
{
    command.channel = channel->index;
    if (dram->traced < dram->trace_capacity)
        dram->trace[dram->traced] = command;
    dram->traced++;
}

static void choose_rank(const dram_rules *rules, dram_channel *channel)
{
    channel->ref_time = DRAM_FAR;
    for (uint32_t r = 0; r < rules->config.ranks; r++)
        if (channel->rank[r].ref_time < channel->ref_time) {
            channel->ref_time = channel->rank[r].ref_time;
            channel->ref_rank = r;
        }
}

void dram_refresh_start(const dram_rules *rules, dram_channel *channel)
{
    uint32_t refi = rules->config.t.refi, ranks = rules->config.ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        uint64_t due = refi - (uint64_t)refi * r / ranks;
        channel->rank[r].ref_due = channel->rank[r].ref_time = refi ? due : DRAM_FAR;
    }
    choose_rank(rules, channel);
}

static void limit_rank(const dram_rules *rules, dram_channel *channel, uint32_t r, uint64_t act,
                       uint64_t other)
{
    uint32_t groups = rules->config.groups;
    for (uint32_t g = r * groups; g < (r + 1) * groups; g++)
        for (uint32_t command = DRAM_DO_ACT; command <= DRAM_DO_WR; command++)
            channel->limit[g * 4 + command] = command == DRAM_DO_ACT ? act : other;
}

/* Until all rows of the rank are closed: earliest PREA; afterwards: earliest REF. */
static uint64_t ready_to_close(const dram_rules *rules, const dram_channel *channel, uint32_t r,
                               bool *any_open)
{
    const dram_unit *unit = &channel->unit[r * rules->units_per_rank];
    uint64_t pre = 0, act = 0;
    *any_open = false;
    for (uint32_t u = 0; u < rules->units_per_rank; u++) {
        bool open = unit[u].open_row != DRAM_NO_ROW;
        *any_open |= open;
        pre = open ? msw_max_u64(pre, unit[u].pre_ready) : pre;
        act = msw_max_u64(act, unit[u].act_ready);
    }
    return *any_open ? pre : act;
}

static void record(msw_dram *dram, const dram_channel *channel, uint32_t r, uint64_t time,
                   msw_dram_command_kind kind)
{
    if (dram->trace)
        dram_record(dram, channel,
                    (msw_dram_command){.time = time,
                                       .bank = r * dram->rules.banks_per_rank,
                                       .kind = (uint8_t)kind});
}

static void close_rank(msw_dram *dram, dram_channel *channel, uint32_t r, uint64_t time)
{
    const dram_rules *rules = &dram->rules;
    uint32_t first = r * rules->units_per_rank;
    for (uint32_t u = first; u < first + rules->units_per_rank; u++) {
        dram_unit *unit = &channel->unit[u];
        if (unit->open_row == DRAM_NO_ROW)
            continue;
        unit->open_row = DRAM_NO_ROW;
        unit->precharged = false;
        unit->act_ready = msw_max_u64(unit->act_ready, time + rules->config.t.rp);
        unit->list[DRAM_READS].hit = unit->list[DRAM_WRITES].hit = DRAM_NONE;
        dram_candidate_update(rules, channel, channel->mode, u);
    }
    channel->stats.commands_prea++;
    record(dram, channel, r, time, MSW_DRAM_PREA);
}

static void refresh(msw_dram *dram, dram_channel *channel, uint32_t r, uint64_t time)
{
    const msw_dram_timing *t = &dram->rules.config.t;
    dram_rank *rank = &channel->rank[r];
    limit_rank(&dram->rules, channel, r, time + t->rfc, 0);
    channel->stats.commands_ref++;
    channel->stats.refresh_cycles += time + t->rfc - rank->ref_due;
    record(dram, channel, r, time, MSW_DRAM_REF);
    rank->ref_due += t->refi;
    rank->ref_time = msw_max_u64(rank->ref_due, time + t->rfc);
    rank->ref_state = DRAM_REF_IDLE;
}

/* Three steps: the rank is blocked for all other commands; one PREA closes its open rows; REF. The
 * second is left out when no row is open. */
void dram_refresh_step(msw_dram *dram, dram_channel *channel, uint64_t time)
{
    uint32_t r = channel->ref_rank;
    dram_rank *rank = &channel->rank[r];
    if (rank->ref_state == DRAM_REF_REFRESH) {
        refresh(dram, channel, r, time);
        dram_use_bus(&dram->rules, channel, 0, time);
    } else {
        if (rank->ref_state == DRAM_REF_IDLE) {
            limit_rank(&dram->rules, channel, r, time + DRAM_BLOCKED, time + DRAM_BLOCKED);
        } else {
            close_rank(dram, channel, r, time);
            dram_use_bus(&dram->rules, channel, 0, time);
        }
        bool any_open;
        uint64_t ready = ready_to_close(&dram->rules, channel, r, &any_open);
        rank->ref_state = any_open ? DRAM_REF_PRECHARGE : DRAM_REF_REFRESH;
        rank->ref_time = msw_max_u64(time, ready);
    }
    choose_rank(&dram->rules, channel);
}

/* An idle channel refreshes in lockstep with time: whole periods are counted, not played. The last
 * two are played, so that the state at `time` is what it would have been. */
void dram_refresh_skip(msw_dram *dram, dram_channel *channel, uint64_t time)
{
    const msw_dram_timing *t = &dram->rules.config.t;
    if (!t->refi || dram->trace || !dram_is_idle(channel))
        return;
    for (uint32_t r = 0; r < dram->rules.config.ranks; r++) {
        dram_rank *rank = &channel->rank[r];
        if (rank->ref_state != DRAM_REF_IDLE || rank->ref_time + 3 * (uint64_t)t->refi > time)
            continue;
        uint64_t periods = (time - rank->ref_time) / t->refi - 2;
        rank->ref_due += periods * t->refi;
        rank->ref_time = msw_max_u64(rank->ref_due, rank->ref_time);
        channel->stats.commands_ref += periods;
        channel->stats.refresh_cycles += periods * t->rfc;
    }
    choose_rank(&dram->rules, channel);
}
