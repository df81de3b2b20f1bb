/* dram_schedule: which command comes next, and when.
 *
 * Of all candidates the one that can go first goes; among those that can go in the same cycle a
 * refresh step comes first, then the oldest column command, then the oldest ACT or PRE (FR-FCFS).
 * The choice is made anew after every command and every arrival, and holds in between. */
#include "dram_state.h"

#define FAR_AHEAD                                                                                  \
    ((UINT64_C(1) << 31) - 1) /* in cycles: a command that has to wait for a refresh */

typedef struct bus_times {
    uint64_t base, bus[2];
    uint32_t youngest;
} bus_times;

static inline bus_times times_of(const dram_channel *channel)
{
    const uint64_t *bus = channel->bus_free;
    return (bus_times){.base = bus[0] < bus[1] ? bus[0] : bus[1],
                       .bus = {bus[0], bus[1]},
                       .youngest = channel->seq + (1u << 31)};
}

/* Smaller goes first: cycles from base, then column before row commands, then age. */
static inline uint64_t key_of(const bus_times *times, const uint64_t *limit,
                              const dram_candidate *c)
{
    uint32_t is_column = c->command >> 1;
    uint64_t time = dram_max(dram_max(c->ready, limit[c->limit]), times->bus[is_column]);
    uint64_t ahead = time - times->base < FAR_AHEAD ? time - times->base : FAR_AHEAD;
    return ahead << 33 | (uint64_t)(is_column ^ 1) << 32 | (uint32_t)(c->seq - times->youngest);
}

static void set_plan(msw_dram *dram, dram_channel *channel, uint64_t base, uint64_t key)
{
    uint64_t time = key >> 33 < FAR_AHEAD ? base + (key >> 33) : DRAM_FAR;
    uint64_t refresh = dram_max(channel->ref_time, channel->bus_free[0]);
    channel->next_event = refresh <= time ? DRAM_EVENT_REFRESH : DRAM_EVENT_COMMAND;
    time = refresh < time ? refresh : time;
    dram->next_time[channel->index] = time < DRAM_FAR ? time : MSW_DRAM_NEVER;
}

void dram_plan(msw_dram *dram, dram_channel *channel)
{
    const dram_side *side = &channel->side[channel->mode];
    bus_times times = times_of(channel);
    uint64_t best = UINT64_MAX;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < side->candidates; i++) {
        uint64_t key = key_of(&times, channel->limit[0].at, &side->candidate[i]);
        chosen = key < best ? i : chosen;
        best = key < best ? key : best;
    }
    channel->next_candidate = chosen;
    set_plan(dram, channel, times.base, best);
}

void dram_plan_arrival(msw_dram *dram, dram_channel *channel, uint32_t unit)
{
    const dram_candidate *all = channel->side[channel->mode].candidate;
    uint32_t at = channel->unit[unit].list[channel->mode].candidate;
    if (channel->next_event != DRAM_EVENT_COMMAND || at == channel->next_candidate) {
        dram_plan(dram, channel);
        return;
    }
    bus_times times = times_of(channel);
    const uint64_t *limit = channel->limit[0].at;
    uint64_t key = key_of(&times, limit, &all[at]);
    if (key >= key_of(&times, limit, &all[channel->next_candidate]))
        return;
    channel->next_candidate = at;
    set_plan(dram, channel, times.base, key);
}

void dram_step(msw_dram *dram, dram_channel *channel)
{
    uint64_t time = dram->next_time[channel->index];
    if (channel->next_event == DRAM_EVENT_REFRESH)
        dram_refresh_step(dram, channel, time);
    else
        dram_issue(dram, channel, &channel->side[channel->mode].candidate[channel->next_candidate],
                   time);
    dram_plan(dram, channel);
}

void dram_run_channel(msw_dram *dram, dram_channel *channel, uint64_t before)
{
    while (dram->next_time[channel->index] < before)
        dram_step(dram, channel);
}
