/* SPDX-License-Identifier: MIT */
/* dram: requests in, completions out. */
#include "sim/dram/queue.h"

const msw_dram_stats *msw_dram_channel_stats(const msw_dram *dram, uint32_t channel)
{
    return &dram->channel[channel].stats;
}

void msw_dram_trace(msw_dram *dram, msw_dram_command *trace, size_t capacity)
{
    dram->trace = trace;
    dram->trace_capacity = capacity;
    dram->traced = 0;
    dram_go_together(dram); /* the trace is in time order */
}

size_t msw_dram_traced(const msw_dram *dram)
{
    return dram->traced;
}

/* ---- requests ---- */

/* A request that has just been offered. */
typedef struct offered {
    uint64_t time, burst, tag;
    uint32_t bytes, row, unit;
    bool is_write;
} offered;

static void answer(msw_dram *dram, uint32_t channel, const offered *r, uint64_t time)
{
    msw_dram_completion *done = dram_done_insert(dram, time, DRAM_NO_CHANNEL);
    done->channel = (uint16_t)channel;
    done->tag = r->tag;
    done->arrival = r->time;
    done->is_write = r->is_write;
    done->outcome = MSW_DRAM_QUEUED;
}

static void push_fixed(msw_dram *dram, dram_channel *channel, const offered *r)
{
    msw_dram_stats *s = &channel->stats;
    msw_dram_server *server = &dram->server[channel->index];
    uint64_t start = msw_max_u64(server->free_tick >> 20, r->time);
    uint64_t end = msw_dram_server_take(server, r->time, r->bytes);
    *(r->is_write ? &s->bytes_written : &s->bytes_read) += r->bytes;
    *(r->is_write ? &s->write_queueing : &s->read_queueing) += start - r->time;
    *(r->is_write ? &s->write_service : &s->read_service) += end - start;
    s->last_data = end;
    s->data_cycles += r->bytes * server->ticks_per_byte >> 20;
    if (!r->is_write)
        dram_count_latency(s, end - r->time);
    answer(dram, channel->index, r, end);
}

static inline bool write_queued(const dram_channel *channel, uint32_t unit, uint64_t burst)
{
    const dram_request *entry = channel->side[DRAM_WRITES].entry;
    uint16_t at = channel->unit[unit].list[DRAM_WRITES].head;
    while (at != DRAM_NONE && entry[at].burst != burst)
        at = entry[at].next;
    return at != DRAM_NONE;
}

static void forward(msw_dram *dram, dram_channel *channel, const offered *r)
{
    uint32_t controller = dram->rules.config.controller;
    channel->stats.forwarded++;
    channel->stats.bytes_read += r->bytes;
    channel->stats.read_service += controller;
    dram_count_latency(&channel->stats, controller);
    answer(dram, channel->index, r, r->time + controller);
}

static inline bool queue_has_room(const dram_channel *channel, uint32_t which)
{
    const dram_side *side = &channel->side[which];
    return side->used + side->waiting < side->depth;
}

/* The other half is for what the queues hold. */
static inline bool answers_have_room(const msw_dram *dram)
{
    return dram->done_count < dram->done_mask / 2;
}

static inline void fill_slot(dram_request *slot, const offered *r, uint64_t seq, uint16_t kin)
{
    slot->arrival = r->time;
    slot->tag = r->tag;
    slot->burst = r->burst;
    slot->first = 0;
    slot->seq = seq;
    slot->row = r->row;
    slot->unit = (uint16_t)r->unit;
    slot->bytes = (uint16_t)r->bytes;
    slot->kin = kin;
}

static inline void accept(msw_dram *dram, dram_channel *channel, uint32_t which, const offered *r)
{
    const dram_rules *rules = &dram->rules;
    uint64_t from = r->time + rules->config.controller;
    channel->bus_free[0] = msw_max_u64(channel->bus_free[0], from);
    channel->bus_free[1] = msw_max_u64(channel->bus_free[1], from);
    dram_side *side = &channel->side[which];
    fill_slot(dram_free_slot(side), r, channel->seq++, dram_kin(side, r->unit, r->row));
    bool changed = dram_enqueue(rules, channel, which);
    dram->pending++;
    dram->earliest = msw_min_u64(dram->earliest, from);
    if (dram_choose_mode(rules, channel))
        dram_plan(dram, channel);
    else if (changed)
        dram_plan_arrival(dram, channel, r->unit);
    if (which == DRAM_WRITES && rules->config.posted_writes)
        answer(dram, channel->index, r, from);
}

/* Issues every command that a request at `time` is too late to influence. */
static void catch_up(msw_dram *dram, dram_channel *channel, uint64_t time)
{
    dram_refresh_skip(dram, channel, time);
    dram_advance_channel(dram, channel, time + dram->rules.config.controller);
}

/* `which` is a constant where it counts. */
static inline bool push(msw_dram *dram, dram_channel *channel, uint32_t which, const offered *r)
{
    msw_dram_stats *stats = &channel->stats;
    if (!queue_has_room(channel, which) || !answers_have_room(dram))
        return false;
    if (!(stats->reads | stats->writes))
        stats->first_arrival = r->time;
    *(which == DRAM_READS ? &stats->reads : &stats->writes) += 1;
    if (dram->rules.config.kind == MSW_DRAM_FIXED)
        push_fixed(dram, channel, r);
    else if (which == DRAM_READS && dram->rules.config.forward &&
             write_queued(channel, r->unit, r->burst))
        forward(dram, channel, r);
    else
        accept(dram, channel, which, r);
    return true;
}

bool msw_dram_push(msw_dram *dram, uint64_t time, uint64_t address, uint32_t bytes, bool is_write,
                   uint64_t tag)
{
    const dram_rules *rules = &dram->rules;
    msw_dram_location location = dram_locate_row(&rules->map, address);
    dram_channel *channel = &dram->channel[location.channel];
    if (dram->next_time[location.channel] < time + rules->config.controller)
        catch_up(dram, channel, time);
    offered r = {.time = time,
                 .burst = address >> rules->burst_shift,
                 .tag = tag,
                 .bytes = bytes,
                 .row = location.row,
                 .unit =
                     (location.bank << rules->buffer_shift) + (location.row & rules->buffer_mask),
                 .is_write = is_write};
    return is_write ? push(dram, channel, DRAM_WRITES, &r) : push(dram, channel, DRAM_READS, &r);
}

/* ---- completions ---- */

bool msw_dram_next(msw_dram *dram, uint64_t limit, msw_dram_completion *completion)
{
    dram_advance_until(dram, limit);
    if (dram_first_done(dram) > limit || !dram->done_count)
        return false;
    *completion = dram->done[dram->done_head & dram->done_mask];
    dram->done_head++;
    dram->done_count--;
    return true;
}

uint64_t msw_dram_room(msw_dram *dram, uint64_t address, bool is_write)
{
    msw_dram_location location = msw_dram_locate(&dram->rules.map, address);
    dram_channel *channel = &dram->channel[location.channel];
    uint64_t time = 0;
    if (!answers_have_room(dram))
        return MSW_DRAM_NEVER;
    while (!queue_has_room(channel, is_write)) {
        time = dram->next_time[location.channel];
        dram_advance_channel(dram, channel, time + 1);
    }
    return time;
}

static bool is_busy(const dram_channel *channel)
{
    return channel->side[DRAM_READS].used + channel->side[DRAM_WRITES].used > 0;
}

uint64_t msw_dram_drain(msw_dram *dram)
{
    for (uint32_t i = 0; i < dram->rules.config.channels; i++)
        while (is_busy(&dram->channel[i]))
            dram_advance_channel(dram, &dram->channel[i], dram->next_time[i] + 1);
    uint64_t last = 0;
    for (uint32_t i = 0; i < dram->rules.config.channels; i++)
        last = msw_max_u64(last, dram->channel[i].stats.last_data);
    return last;
}
