/* dram_queue: requests enter and leave the scheduler's window; candidates follow. Inline, because
 * it is most of the work done per command; callers that know the side pass a constant. */
#ifndef MSW_SIM_DRAM_QUEUE_H
#define MSW_SIM_DRAM_QUEUE_H

#include "sim/dram/state.h"

static inline void dram_candidate_fill(const dram_rules *rules, const dram_side *side,
                                       uint32_t which, const dram_unit *unit, dram_candidate *out)
{
    const dram_list *list = &unit->list[which];
    uint16_t chosen = list->head;
    uint32_t command;
    if (unit->open_row == DRAM_NO_ROW) {
        command = DRAM_DO_ACT;
        out->ready = unit->act_ready;
    } else if (list->hit != DRAM_NONE && (unit->hits < rules->hit_cap || list->hit == list->head)) {
        command = DRAM_DO_RD + which;
        out->ready = unit->col_ready;
        chosen = list->hit;
    } else {
        command = DRAM_DO_PRE;
        out->ready = unit->pre_ready;
    }
    out->order = (uint64_t)(command < DRAM_DO_RD) << DRAM_AGE_BITS | side->entry[chosen].seq;
    out->limit = (uint16_t)(unit->group * 4 + command);
}

static inline void dram_drop_candidate(dram_channel *channel, dram_list *list, uint32_t which)
{
    dram_side *side = &channel->side[which];
    dram_candidate *last = &side->candidate[--side->candidates];
    side->candidate[list->candidate] = *last;
    channel->unit[last->unit].list[which].candidate = list->candidate;
    last->order = DRAM_UNUSED;
    list->candidate = DRAM_NONE;
}

static inline void dram_candidate_update(const dram_rules *rules, dram_channel *channel,
                                         uint32_t which, uint32_t index)
{
    dram_side *side = &channel->side[which];
    dram_unit *unit = &channel->unit[index];
    uint16_t at = unit->list[which].candidate;
    if (at != DRAM_NONE)
        dram_candidate_fill(rules, side, which, unit, &side->candidate[at]);
}

/* Takes a filled free entry into the window. Returns whether the unit's candidate is new or another
 * one than before. */
static inline bool dram_enter_window(const dram_rules *rules, dram_channel *channel, uint32_t which)
{
    dram_side *side = &channel->side[which];
    uint16_t at = side->free_entry;
    dram_request *entry = &side->entry[at];
    dram_unit *unit = &channel->unit[entry->unit];
    dram_list *list = &unit->list[which];
    bool changed = list->head == DRAM_NONE;
    side->free_entry = entry->next;
    side->used++;
    side->kin[entry->kin]++;
    entry->prev = list->tail;
    entry->next = DRAM_NONE;
    if (changed) {
        list->head = at;
        list->candidate = (uint16_t)side->candidates;
        side->candidate[side->candidates++].unit = entry->unit;
    } else {
        side->entry[list->tail].next = at;
    }
    list->tail = at;
    if (list->hit == DRAM_NONE && entry->row == unit->open_row) {
        list->hit = at;
        changed = true;
    }
    changed = changed && which == channel->mode;
    if (changed)
        dram_candidate_update(rules, channel, which, entry->unit);
    return changed;
}

/* The place of the next request: fill all but the links, then dram_enqueue. */
static inline dram_request *dram_free_slot(dram_side *side)
{
    if (side->used < side->window)
        return &side->entry[side->free_entry];
    uint32_t at = side->ring_head + side->waiting;
    return &side->ring[at < side->depth ? at : at - side->depth];
}

/* Returns what dram_enter_window returns. */
static inline bool dram_enqueue(const dram_rules *rules, dram_channel *channel, uint32_t which)
{
    dram_side *side = &channel->side[which];
    if (side->used < side->window)
        return dram_enter_window(rules, channel, which);
    side->waiting++;
    return false;
}

static inline void dram_refill_window(const dram_rules *rules, dram_channel *channel,
                                      uint32_t which)
{
    dram_side *side = &channel->side[which];
    dram_request *entry = &side->entry[side->free_entry];
    uint16_t link = entry->next;
    *entry = side->ring[side->ring_head];
    entry->next = link;
    side->ring_head = side->ring_head + 1 == side->depth ? 0 : side->ring_head + 1;
    side->waiting--;
    dram_enter_window(rules, channel, which);
}

static inline uint16_t dram_find_row(const dram_request *entry, uint16_t from, uint32_t row)
{
    while (from != DRAM_NONE && entry[from].row != row)
        from = entry[from].next;
    return from;
}

static inline void dram_dequeue(const dram_rules *rules, dram_channel *channel, uint32_t which,
                                uint16_t at)
{
    dram_side *side = &channel->side[which];
    dram_request *gone = &side->entry[at];
    dram_list *list = &channel->unit[gone->unit].list[which];
    bool alone = --side->kin[gone->kin] == 0;
    if (list->hit == at)
        list->hit = alone ? DRAM_NONE : dram_find_row(side->entry, gone->next, gone->row);
    if (gone->prev == DRAM_NONE)
        list->head = gone->next;
    else
        side->entry[gone->prev].next = gone->next;
    if (gone->next == DRAM_NONE)
        list->tail = gone->prev;
    else
        side->entry[gone->next].prev = gone->prev;
    if (list->head == DRAM_NONE)
        dram_drop_candidate(channel, list, which);
    gone->next = side->free_entry;
    side->free_entry = at;
    side->used--;
    if (side->waiting)
        dram_refill_window(rules, channel, which);
}

/* The row is that of the oldest request of the side being served. */
static inline void dram_find_hits(dram_channel *channel, dram_unit *unit)
{
    uint32_t mode = channel->mode;
    const dram_side *other = &channel->side[!mode];
    dram_list *list = unit->list;
    list[mode].hit = list[mode].head;
    if (other->used)
        list[!mode].hit = dram_find_row(other->entry, list[!mode].head, unit->open_row);
}

static inline uint32_t dram_wanted_mode(const dram_rules *rules, const dram_channel *channel)
{
    uint32_t reads = channel->side[DRAM_READS].used + channel->side[DRAM_READS].waiting;
    uint32_t writes = channel->side[DRAM_WRITES].used + channel->side[DRAM_WRITES].waiting;
    if (channel->mode == DRAM_READS)
        return writes >= rules->config.write_high || (writes && !reads) ? DRAM_WRITES : DRAM_READS;
    return !writes || (reads && writes <= rules->config.write_low) ? DRAM_READS : DRAM_WRITES;
}

/* Returns whether the side being served has changed. */
static inline bool dram_choose_mode(const dram_rules *rules, dram_channel *channel)
{
    if (channel->mode == DRAM_READS && !channel->side[DRAM_WRITES].used)
        return false;
    uint32_t mode = dram_wanted_mode(rules, channel);
    if (mode == channel->mode)
        return false;
    channel->mode = mode;
    channel->stats.drains += mode == DRAM_WRITES;
    const dram_side *side = &channel->side[mode];
    for (uint32_t i = 0; i < side->candidates; i++)
        dram_candidate_update(rules, channel, mode, side->candidate[i].unit);
    return true;
}

#endif
