/* dram_schedule: which command comes next, and when.
 *
 * Of all candidates the one that can go first goes; among those that can go in the same cycle a
 * refresh step comes first, then the oldest column command, then the oldest ACT or PRE (FR-FCFS).
 * The choice is made anew after every command and every arrival, and holds in between. */
#include "dram_bank.h"

enum { ORDER_BITS = DRAM_AGE_BITS + 1, AHEAD_BITS = 64 - ORDER_BITS };

#define FAR_AHEAD (((uint64_t)1 << AHEAD_BITS) - 1) /* cycles: waits for the end of a refresh */

static inline uint64_t base_of(const dram_channel *channel)
{
    const uint64_t *bus = channel->bus_free;
    return bus[0] < bus[1] ? bus[0] : bus[1];
}

/* Smaller goes first: cycles from base, then column before row commands, then age. */
static inline uint64_t key_of(const dram_channel *channel, uint64_t base, const dram_candidate *c)
{
    uint64_t time = dram_max(c->ready, channel->limit[c->limit]);
    uint64_t ahead = dram_max(time, channel->bus_free[c->limit >> 1 & 1]) - base;
    return (ahead < FAR_AHEAD ? ahead : FAR_AHEAD) << ORDER_BITS | c->order;
}

static inline void set_plan(msw_dram *dram, dram_channel *channel, uint64_t base, uint64_t key)
{
    uint64_t time = key >> ORDER_BITS < FAR_AHEAD ? base + (key >> ORDER_BITS) : DRAM_FAR;
    uint64_t refresh = dram_max(channel->ref_time, channel->bus_free[0]);
    channel->next_event = refresh <= time ? DRAM_EVENT_REFRESH : DRAM_EVENT_COMMAND;
    time = refresh < time ? refresh : time;
    dram->next_time[channel->index] = time < DRAM_FAR ? time : MSW_DRAM_NEVER;
}

static inline void plan(msw_dram *dram, dram_channel *channel)
{
    const dram_side *side = &channel->side[channel->mode];
    uint64_t base = base_of(channel);
    uint64_t best = UINT64_MAX;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < side->candidates; i++) {
        uint64_t key = key_of(channel, base, &side->candidate[i]);
        chosen = key < best ? i : chosen;
        best = key < best ? key : best;
    }
    channel->next_candidate = chosen;
    set_plan(dram, channel, base, best);
}

void dram_plan(msw_dram *dram, dram_channel *channel)
{
    plan(dram, channel);
}

void dram_plan_arrival(msw_dram *dram, dram_channel *channel, uint32_t unit)
{
    const dram_candidate *all = channel->side[channel->mode].candidate;
    uint32_t at = channel->unit[unit].list[channel->mode].candidate;
    if (channel->next_event != DRAM_EVENT_COMMAND || at == channel->next_candidate) {
        dram_plan(dram, channel);
        return;
    }
    uint64_t base = base_of(channel), key = key_of(channel, base, &all[at]);
    if (key >= key_of(channel, base, &all[channel->next_candidate]))
        return;
    channel->next_candidate = at;
    set_plan(dram, channel, base, key);
}

static inline void step(msw_dram *dram, dram_channel *channel)
{
    uint64_t time = dram->next_time[channel->index];
    if (channel->next_event == DRAM_EVENT_REFRESH)
        dram_refresh_step(dram, channel, time);
    else
        dram_issue(dram, channel, &channel->side[channel->mode].candidate[channel->next_candidate],
                   time);
    plan(dram, channel);
}

static inline dram_channel *earliest_channel(const msw_dram *dram)
{
    uint32_t best = 0, channels = dram->rules.config.channels;
    for (uint32_t i = 1; i < channels; i++)
        if (dram->next_time[i] < dram->next_time[best])
            best = i;
    return &dram->channel[best];
}

void dram_step(msw_dram *dram, dram_channel *channel)
{
    step(dram, channel);
}

void dram_run_channel(msw_dram *dram, dram_channel *channel, uint64_t before)
{
    while (dram->next_time[channel->index] < before)
        step(dram, channel);
}

/* What happens up to the first completion or the limit cannot be influenced by the caller any more,
 * whatever is pushed then. */
void dram_run_until(msw_dram *dram, uint64_t limit)
{
    uint32_t front = dram->rules.config.front;
    limit = limit < DRAM_FAR ? limit : DRAM_FAR;
    while (dram->pending) {
        uint64_t first = dram->done[dram->done_head & dram->done_mask].time;
        uint64_t until = dram->done_count && first < limit ? first : limit;
        dram_channel *channel = earliest_channel(dram);
        if (dram->next_time[channel->index] >= until + front)
            return;
        step(dram, channel);
    }
}
