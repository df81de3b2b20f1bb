/* SPDX-License-Identifier: MIT */
/* dram_schedule: which command comes next, and when.
 *
 * Of all candidates the one that can go first goes; among those that can go in the same cycle a
 * refresh step comes first, then the oldest column command, then the oldest ACT or PRE (FR-FCFS).
 * The choice is made again after every command and every arrival, and holds in between. */
#include "sim/dram/bank.h"

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

static inline uint64_t earliest_event(const msw_dram *dram)
{
    uint64_t first = dram->next_time[0];
    for (uint32_t i = 1; i < dram->rules.config.channels; i++)
        first = dram->next_time[i] < first ? dram->next_time[i] : first;
    return first;
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
        dram->earliest = earliest_event(dram);
        if ((int64_t)dram->earliest >= due)
            return;
        advance_those_before(
            dram, due,
            msw_min_u64(wanted + dram->rules.config.controller, dram->earliest + dram->ahead));
    }
}
