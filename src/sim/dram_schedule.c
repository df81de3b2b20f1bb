/* dram_schedule: which command comes next, and when.
 *
 * Of all candidates the one that can go first goes; among those that can go in the same cycle a
 * refresh step comes first, then the oldest column command, then the oldest ACT or PRE (FR-FCFS).
 * The choice is made anew after every command and every arrival, and holds in between. */
#include "dram_state.h"

enum { REL_BITS = 31 };

void dram_plan(msw_dram *dram, dram_channel *channel)
{
    const dram_side *side = &channel->side[channel->mode];
    const uint64_t *limit = channel->limit[0].at, *bus = channel->bus_free;
    uint64_t base = bus[0] < bus[1] ? bus[0] : bus[1];
    uint64_t far = ((uint64_t)1 << REL_BITS) - 1, best = UINT64_MAX;
    uint32_t youngest = channel->seq + (1u << 31);
    for (uint32_t i = 0; i < side->candidates; i++) {
        const dram_candidate *c = &side->candidate[i];
        uint32_t is_column = c->command >> 1;
        uint64_t time = dram_max(dram_max(c->ready, limit[c->limit]), bus[is_column]);
        uint64_t rel = time - base < far ? time - base : far;
        uint64_t key = rel << 33 | (uint64_t)(!is_column) << 32 | (uint32_t)(c->seq - youngest);
        if (key < best) {
            best = key;
            channel->next_candidate = i;
        }
    }
    uint64_t time = best >> 33 < far ? base + (best >> 33) : DRAM_FAR;
    uint64_t refresh = dram_max(channel->ref_time, bus[0]);
    channel->next_event = refresh <= time ? DRAM_EVENT_REFRESH : DRAM_EVENT_COMMAND;
    time = refresh < time ? refresh : time;
    dram->next_time[channel->index] = time < DRAM_FAR ? time : MSW_DRAM_NEVER;
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
