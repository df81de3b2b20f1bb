/* Links with priorities. Which transfer starts is decided when the channel becomes free, from what
 * was sent by then; a channel is brought up to a time before anything is sent or taken at it. */
#include "sim/link/parts.h"

#include <assert.h>

static void append(msw_link *link, uint32_t *first, uint32_t *last, uint32_t slot)
{
    link->slots[slot].next = LINK_NONE;
    *(*first == LINK_NONE ? first : &link->slots[*last].next) = slot;
    *last = slot;
}

static uint32_t detach(msw_link *link, uint32_t *first)
{
    uint32_t slot = *first;
    *first = link->slots[slot].next;
    return slot;
}

/* The transfer that starts next, and when. At its start time all in front of it have been sent: a
 * queue's first is its earliest, so the channel waits for the earliest of all and then lets the
 * highest priority among those already sent go. Returns LINK_NONE when nothing waits. */
static uint32_t pick(const msw_link *link, const msw_link_channel *channel, uint64_t *start)
{
    uint64_t earliest = UINT64_MAX;
    for (uint32_t p = 0; p < link->config.priorities; p++)
        if (channel->first[p] != LINK_NONE &&
            link->slots[channel->first[p]].transfer.time < earliest)
            earliest = link->slots[channel->first[p]].transfer.time;
    if (earliest == UINT64_MAX)
        return LINK_NONE;
    *start = earliest * link->ticks_per_cycle;
    if (*start < channel->free)
        *start = channel->free;
    uint32_t best = 0;
    while (channel->first[best] == LINK_NONE ||
           link->slots[channel->first[best]].transfer.time * link->ticks_per_cycle > *start)
        best++;
    return best;
}

static void start_transfer(msw_link *link, msw_link_channel *channel, uint32_t priority,
                           uint64_t start)
{
    uint32_t slot = detach(link, &channel->first[priority]);
    msw_transfer *transfer = &link->slots[slot].transfer;
    link->stats[transfer->direction].wait_ticks += start - transfer->time * link->ticks_per_cycle;
    msw_link_account(link, transfer->direction, transfer->bytes, 1);
    channel->free = start + msw_link_duration(link, transfer->bytes);
    transfer->time = msw_link_delivery(link, channel->free);
    append(link, &channel->flying_first, &channel->flying_last, slot);
}

/* Starts what starts before the tick `limit`. */
static void advance_channel(msw_link *link, msw_link_channel *channel, uint64_t limit)
{
    uint64_t start = 0;
    for (uint32_t priority; (priority = pick(link, channel, &start)) != LINK_NONE;) {
        if (start >= limit)
            return;
        start_transfer(link, channel, priority, start);
    }
}

static uint32_t channel_count(const msw_link *link)
{
    return link->config.half_duplex ? 1 : MSW_LINK_DIRECTIONS;
}

bool msw_link_send(msw_link *link, const msw_transfer *transfer)
{
    assert(transfer->direction < MSW_LINK_DIRECTIONS &&
           transfer->priority < link->config.priorities);
    uint32_t c = link->config.half_duplex ? 0 : transfer->direction;
    msw_link_channel *channel = &link->channels[c];
    if (link->free_slot == LINK_NONE)
        return false;
    advance_channel(link, channel, transfer->time * link->ticks_per_cycle);
    uint32_t slot = detach(link, &link->free_slot);
    link->slots[slot].transfer = *transfer;
    append(link, &channel->first[transfer->priority], &channel->last[transfer->priority], slot);
    return true;
}

static uint64_t channel_next(const msw_link *link, const msw_link_channel *channel)
{
    if (channel->flying_first != LINK_NONE)
        return link->slots[channel->flying_first].transfer.time;
    uint64_t start = 0;
    uint32_t priority = pick(link, channel, &start);
    if (priority == LINK_NONE)
        return UINT64_MAX;
    uint64_t bytes = link->slots[channel->first[priority]].transfer.bytes;
    return msw_link_delivery(link, start + msw_link_duration(link, bytes));
}

uint64_t msw_link_next(const msw_link *link)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t c = 0; c < channel_count(link); c++) {
        uint64_t own = channel_next(link, &link->channels[c]);
        next = own < next ? own : next;
    }
    return next;
}

bool msw_link_take(msw_link *link, uint64_t now, msw_transfer *transfer)
{
    msw_link_channel *from = NULL;
    uint64_t earliest = UINT64_MAX;
    for (uint32_t c = 0; c < channel_count(link); c++) {
        uint64_t due = channel_next(link, &link->channels[c]);
        if (due <= now && due < earliest) {
            from = &link->channels[c];
            earliest = due;
        }
    }
    if (from == NULL)
        return false;
    advance_channel(link, from, now * link->ticks_per_cycle + 1);
    uint32_t slot = detach(link, &from->flying_first);
    *transfer = link->slots[slot].transfer;
    link->stats[transfer->direction].delivered_bytes += transfer->bytes;
    link->slots[slot].next = link->free_slot;
    link->free_slot = slot;
    return true;
}
