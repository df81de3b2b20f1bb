/* SPDX-License-Identifier: MIT */
/* Requests enter and leave the scheduler's window; candidates follow. Inline, because
 * it is most of the work done per command; callers that know the side pass a constant. */
#ifndef MSW_SIM_DRAM_QUEUE_H
#define MSW_SIM_DRAM_QUEUE_H

#include "sim/dram/state.h"

/* The order: bit DRAM_AGE_BITS is 1 for row commands, below it is the age. Compared as one number,
 * column commands come first and then the oldest. */
static inline void dram_set_command(dram_candidate *out, const dram_unit *unit, uint32_t command,
                                    uint64_t ready, uint64_t seq)
{
    out->ready = ready;
    out->order = (uint64_t)(command < DRAM_DO_RD) << DRAM_AGE_BITS | seq;
    out->limit = (uint16_t)(unit->group * 4 + command);
}

/* A hit in a row buffer that must be selected first, unless an older one waits in the buffer that
 * is selected. No earlier than it is of use. `select_early`: without these two. */
static inline void dram_set_select(const dram_rules *rules, const dram_channel *channel,
                                   uint32_t which, const dram_unit *unit, dram_candidate *out)
{
    const dram_request *entry = channel->side[which].entry;
    uint64_t seq = entry[unit->list[which].hit].seq, useful = rules->config.t.sel;
    uint16_t older =
        channel->unit[channel->selected[out->unit >> rules->buffer_shift]].list[which].hit;
    useful = unit->col_ready > useful ? unit->col_ready - useful : 0;
    bool early = rules->config.select_early;
    dram_set_command(out, unit, DRAM_DO_PRE,
                     early ? unit->sel_ready : msw_max_u64(unit->sel_ready, useful), seq);
    if (early)
        out->order = seq;
    else if (older != DRAM_NONE && entry[older].seq < seq)
        out->order = DRAM_UNUSED;
}

static inline bool dram_is_selected(const dram_rules *rules, const dram_channel *channel,
                                    uint32_t index)
{
    return !rules->selects || channel->selected[index >> rules->buffer_shift] == index;
}

/* What leads to the oldest hit or, where there is none, to the oldest request. */
static inline void dram_candidate_fill(const dram_rules *rules, const dram_channel *channel,
                                       uint32_t which, const dram_unit *unit, dram_candidate *out)
{
    const dram_list *list = &unit->list[which];
    const dram_request *entry = channel->side[which].entry;
    if (unit->open_row == DRAM_NO_ROW)
        dram_set_command(out, unit, DRAM_DO_ACT, unit->act_ready, entry[list->head].seq);
    else if (list->hit == DRAM_NONE)
        dram_set_command(out, unit, DRAM_DO_PRE, unit->pre_ready, entry[list->head].seq);
    else if (dram_is_selected(rules, channel, out->unit))
        dram_set_command(out, unit, DRAM_DO_RD + which, unit->col_ready, entry[list->hit].seq);
    else
        dram_set_select(rules, channel, which, unit, out);
}

static inline uint16_t *dram_index_of(dram_channel *channel, uint32_t which,
                                      const dram_candidate *candidate)
{
    dram_list *list = &channel->unit[candidate->unit].list[which];
    return candidate->closes ? &list->closer : &list->candidate;
}

/* `index` is that of a candidate, kept with its unit. */
static inline void dram_drop_candidate(dram_channel *channel, uint16_t *index, uint32_t which)
{
    dram_side *side = &channel->side[which];
    dram_candidate *last = &side->candidate[--side->candidates];
    *dram_index_of(channel, which, last) = *index;
    side->candidate[*index] = *last;
    last->order = DRAM_UNUSED;
    *index = DRAM_NONE;
}

static inline uint16_t dram_add_candidate(dram_side *side, uint32_t unit, bool closes)
{
    dram_candidate *added = &side->candidate[side->candidates];
    added->unit = (uint16_t)unit;
    added->closes = closes;
    return (uint16_t)side->candidates++;
}

/* The PRE of a request that is older than the hits of its unit. */
static inline void dram_closer_update(const dram_rules *rules, dram_channel *channel,
                                      uint32_t which, uint32_t index)
{
    dram_side *side = &channel->side[which];
    dram_unit *unit = &channel->unit[index];
    dram_list *list = &unit->list[which];
    if (list->hit == DRAM_NONE || list->hit == list->head || unit->hits < rules->hit_cap) {
        if (list->closer != DRAM_NONE)
            dram_drop_candidate(channel, &list->closer, which);
        return;
    }
    if (list->closer == DRAM_NONE)
        list->closer = dram_add_candidate(side, index, true);
    dram_set_command(&side->candidate[list->closer], unit, DRAM_DO_PRE, unit->pre_ready,
                     side->entry[list->head].seq);
}

static inline void dram_candidate_update(const dram_rules *rules, dram_channel *channel,
                                         uint32_t which, uint32_t index)
{
    dram_side *side = &channel->side[which];
    dram_unit *unit = &channel->unit[index];
    const dram_list *list = &unit->list[which];
    if (list->candidate == DRAM_NONE)
        return;
    dram_candidate_fill(rules, channel, which, unit, &side->candidate[list->candidate]);
    if ((list->hit != DRAM_NONE && list->hit != list->head) || list->closer != DRAM_NONE)
        dram_closer_update(rules, channel, which, index);
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
        list->candidate = dram_add_candidate(side, entry->unit, false);
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

/* The free entry keeps its link: the request from the ring overwrites all of it. */
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

/* `kin` counts requests by a hash of unit and row. When this was the last one of its hash there is
 * no further hit, and the list need not be searched. */
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
        dram_drop_candidate(channel, &list->candidate, which);
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

/* Writes are collected and drained together, since turning the bus round costs time: from
 * write_high on, or when there are no reads, down to write_low. */
static inline uint32_t dram_wanted_mode(const dram_rules *rules, const dram_channel *channel)
{
    uint32_t reads = channel->side[DRAM_READS].used + channel->side[DRAM_READS].waiting;
    uint32_t writes = channel->side[DRAM_WRITES].used + channel->side[DRAM_WRITES].waiting;
    if (channel->mode == DRAM_READS)
        return writes >= rules->config.write_high || (writes && !reads) ? DRAM_WRITES : DRAM_READS;
    return !writes || (reads && writes <= rules->config.write_low) ? DRAM_READS : DRAM_WRITES;
}

/* Candidates of a side that is not served are not kept up to date. */
static inline void dram_update_side(const dram_rules *rules, dram_channel *channel, uint32_t which)
{
    dram_side *side = &channel->side[which];
    for (uint32_t i = side->candidates; i-- > 0;)
        if (side->candidate[i].closes)
            dram_drop_candidate(channel, dram_index_of(channel, which, &side->candidate[i]), which);
    for (uint32_t i = 0, first = side->candidates; i < first; i++)
        dram_candidate_update(rules, channel, which, side->candidate[i].unit);
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
    dram_update_side(rules, channel, mode);
    return true;
}

#endif
