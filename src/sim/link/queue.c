/* SPDX-License-Identifier: MIT */
/* Links with priorities and masters. Which transfer starts is decided when the channel becomes
 * free, from what was sent by then; a channel is brought up to a time before anything is sent or
 * taken at it. Of one priority and one master there is nothing to decide: a transfer's start is
 * known when it is sent. */
#include "sim/link/parts.h"

#include "memsweep/base/bits.h"

#include <assert.h>

enum { VIRTUAL_BITS = 16 };

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

/* Virtual times may wrap round; those that are compared lie close together. */
static bool is_before(uint64_t a, uint64_t b)
{
    return (int64_t)(a - b) < 0;
}

typedef struct link_pick {
    uint32_t priority, master;
    uint64_t start;
} link_pick;

/* When the first of a priority was sent; UINT64_MAX: nothing waits. */
static inline uint64_t earliest_of(const msw_link *link, const msw_link_class *class)
{
    uint64_t earliest = UINT64_MAX;
    if (!class->waiting)
        return UINT64_MAX;
    if (link->config.masters == 1)
        return link->slots[class->first[0]].transfer.time;
    for (uint32_t m = 0; m < link->config.masters; m++)
        if (class->first[m] != LINK_NONE && link->slots[class->first[m]].transfer.time < earliest)
            earliest = link->slots[class->first[m]].transfer.time;
    return earliest;
}

/* The master whose first transfer goes next: of those sent by `start` the one with the smallest
 * tag, the lower number of two alike. */
static uint32_t next_master(const msw_link *link, const msw_link_class *class, uint64_t start)
{
    uint32_t best = LINK_NONE;
    for (uint32_t m = 0; m < link->config.masters; m++) {
        uint32_t slot = class->first[m];
        if (slot == LINK_NONE || link->slots[slot].transfer.time * link->ticks_per_cycle > start)
            continue;
        if (best == LINK_NONE ||
            is_before(link->slots[slot].tag, link->slots[class->first[best]].tag))
            best = m;
    }
    return best;
}

/* The transfer that starts next, and when. At its start time all in front of it have been sent: a
 * queue's first is its earliest, so the channel waits for the earliest of all and then lets the
 * highest priority among those already sent go. Returns whether anything waits. */
static inline bool pick(const msw_link *link, const msw_link_channel *channel, link_pick *picked)
{
    uint64_t earliest = UINT64_MAX, first = UINT64_MAX;
    for (uint32_t p = 0; p < link->config.priorities; p++) {
        uint64_t own = earliest_of(link, &channel->classes[p]);
        earliest = own < earliest ? own : earliest;
    }
    if (earliest == UINT64_MAX)
        return false;
    picked->start = earliest * link->ticks_per_cycle;
    if (picked->start < channel->free)
        picked->start = channel->free;
    picked->priority = picked->master = 0;
    if (link->config.priorities > 1)
        while ((first = earliest_of(link, &channel->classes[picked->priority])) == UINT64_MAX ||
               first * link->ticks_per_cycle > picked->start)
            picked->priority++;
    if (link->config.masters > 1)
        picked->master = next_master(link, &channel->classes[picked->priority], picked->start);
    return true;
}

/* `start` in ticks. */
static void start_at(msw_link *link, msw_link_channel *channel, uint32_t slot, uint64_t start)
{
    msw_transfer *transfer = &link->slots[slot].transfer;
    uint64_t duration = msw_link_duration(link, transfer->direction, transfer->bytes);
    link->stats[transfer->direction].wait_ticks += start - transfer->time * link->ticks_per_cycle;
    msw_link_account(link, transfer->direction, transfer->bytes, 1, duration);
    channel->free = start + duration;
    transfer->time = msw_link_delivery(link, channel->free);
    append(link, &channel->flying_first, &channel->flying_last, slot);
}

static void start_transfer(msw_link *link, msw_link_channel *channel, const link_pick *picked)
{
    msw_link_class *class = &channel->classes[picked->priority];
    uint32_t slot = detach(link, &class->first[picked->master]);
    class->waiting--;
    class->now = link->slots[slot].tag;
    channel->serving = picked->priority;
    start_at(link, channel, slot, picked->start);
}

/* Starts what starts before the tick `limit`. */
static void advance_channel(msw_link *link, msw_link_channel *channel, uint64_t limit)
{
    link_pick picked;
    while (pick(link, channel, &picked) && picked.start < limit)
        start_transfer(link, channel, &picked);
}

static uint32_t channel_count(const msw_link *link)
{
    return link->config.half_duplex ? 1 : MSW_LINK_DIRECTIONS;
}

/* Gives a transfer its place in the virtual time of its priority. A priority of which nothing waits
 * or is served starts again: nobody has a debt. */
static void tag_transfer(msw_link *link, msw_link_channel *channel, uint32_t slot)
{
    const msw_transfer *transfer = &link->slots[slot].transfer;
    msw_link_class *class = &channel->classes[transfer->priority];
    bool served = channel->serving == transfer->priority &&
                  channel->free > transfer->time * link->ticks_per_cycle;
    if (!class->waiting && !served)
        class->now = class->latest;
    uint64_t *end = &class->end[transfer->master];
    uint64_t tag = is_before(*end, class->now) ? class->now : *end;
    uint32_t weight = link->config.weights[transfer->master];
    uint32_t *rest = &class->rest[transfer->master];
    uint64_t duration = msw_link_duration(link, transfer->direction, transfer->bytes);
    /* The remainder of a division is carried to the next one: shares stay exact however long it
     * runs. */
    uint64_t virtual = (duration << VIRTUAL_BITS) + (tag == *end ? *rest : 0);
    link->slots[slot].tag = tag;
    *end = tag + virtual / weight;
    *rest = (uint32_t)(virtual % weight);
    class->latest = is_before(class->latest, *end) ? *end : class->latest;
}

bool msw_link_send(msw_link *link, const msw_transfer *transfer)
{
    assert(transfer->direction < MSW_LINK_DIRECTIONS &&
           transfer->priority < link->config.priorities && transfer->master < link->config.masters);
    uint32_t c = link->config.half_duplex ? 0 : transfer->direction;
    msw_link_channel *channel = &link->channels[c];
    if (link->free_slot == LINK_NONE)
        return false;
    uint64_t now = transfer->time * link->ticks_per_cycle;
    if (!link->in_order)
        advance_channel(link, channel, now);
    uint32_t slot = detach(link, &link->free_slot);
    link->slots[slot].transfer = *transfer;
    if (link->in_order) {
        start_at(link, channel, slot, msw_max_u64(channel->free, now));
        return true;
    }
    msw_link_class *class = &channel->classes[transfer->priority];
    if (link->config.masters > 1)
        tag_transfer(link, channel, slot);
    append(link, &class->first[transfer->master], &class->last[transfer->master], slot);
    class->waiting++;
    return true;
}

static uint64_t channel_next(const msw_link *link, const msw_link_channel *channel)
{
    if (channel->flying_first != LINK_NONE)
        return link->slots[channel->flying_first].transfer.time;
    link_pick picked;
    if (link->in_order || !pick(link, channel, &picked))
        return UINT64_MAX;
    const msw_link_class *class = &channel->classes[picked.priority];
    const msw_transfer *transfer = &link->slots[class->first[picked.master]].transfer;
    return msw_link_delivery(
        link, picked.start + msw_link_duration(link, transfer->direction, transfer->bytes));
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
    if (!link->in_order)
        advance_channel(link, from, now * link->ticks_per_cycle + 1);
    uint32_t slot = detach(link, &from->flying_first);
    *transfer = link->slots[slot].transfer;
    link->stats[transfer->direction].delivered_bytes += transfer->bytes;
    link->slots[slot].next = link->free_slot;
    link->free_slot = slot;
    return true;
}
