/* SPDX-License-Identifier: MIT */
/* dram: requests in, completions out; statistics; streams; memories of latency and bandwidth alone,
 * where a transfer of b bytes holds the bus for b / bandwidth and is complete `latency` cycles
 * after it leaves the bus. */
#include "sim/dram/queue.h"

#include "sim/dram/state.h"

#include <math.h>

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

/* A multiplicative hash of (unit, row): both constants are odd, and the upper bits, which depend on
 * all bits below them, select the place. */
static inline uint16_t dram_kin(const dram_side *side, uint32_t unit, uint32_t row)
{
    return (uint16_t)((row + unit * 0x9E3779B9u) * 0x85EBCA6Bu >> side->kin_shift);
}

/* All but the column. Few maps split a field that counts. */
static inline msw_dram_location dram_locate_row(const msw_dram_map *map, uint64_t address)
{
    if (map->more_count)
        return dram_locate(map, address);
    uint32_t row = dram_bits(&map->first[DRAM_TO_ROW], address);
    uint32_t bank = dram_bits(&map->first[DRAM_TO_BANK], address);
    return (msw_dram_location){.channel = dram_bits(&map->first[DRAM_TO_CHANNEL], address),
                               .bank = bank ^ (row & map->hash_mask),
                               .row = row};
}

uint64_t msw_dram_bin_floor(unsigned bin)
{
    if (bin < DRAM_BIN_EXACT)
        return bin;
    unsigned octave = (bin - DRAM_BIN_EXACT) / DRAM_BINS_PER_OCTAVE,
             part = (bin - DRAM_BIN_EXACT) % DRAM_BINS_PER_OCTAVE;
    return (uint64_t)(DRAM_BINS_PER_OCTAVE + part) << (octave + 1);
}

/* Everything up to the extremes is a sum. */
void msw_dram_stats_sum(msw_dram_stats *to, const msw_dram_stats *from)
{
    if (!from->reads && !from->writes && !from->commands_ref)
        return;
    bool first = !to->reads && !to->writes;
    uint64_t arrival = !(from->reads + from->writes)                      ? to->first_arrival
                       : first || from->first_arrival < to->first_arrival ? from->first_arrival
                                                                          : to->first_arrival;
    uint64_t data = msw_max_u64(to->last_data, from->last_data);
    uint64_t most = msw_max_u64(to->read_latency_max, from->read_latency_max);
    uint64_t *sum = (uint64_t *)to;
    const uint64_t *add = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += add[i];
    to->first_arrival = arrival;
    to->last_data = data;
    to->read_latency_max = most;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

msw_dram_rates msw_dram_rates_of(const msw_dram_stats *s, const msw_dram_config *c,
                                 uint32_t channels)
{
    double cycles = (double)s->last_data - (double)s->first_arrival;
    double per_ns = 1000.0 / c->clock_ps;
    double peak =
        c->kind == MSW_DRAM_FIXED ? c->fixed_bytes_per_cycle : (double)c->burst_bytes / c->t.bl;
    double columns = (double)(s->hits + s->closed + s->conflicts);
    double reads = (double)s->reads;
    return (msw_dram_rates){
        .hit_rate = ratio((double)s->hits, columns),
        .bandwidth_gbs = ratio((double)(s->bytes_read + s->bytes_written), cycles) * per_ns,
        .peak_gbs = peak * per_ns * channels,
        .utilisation = ratio((double)s->data_cycles, cycles * channels),
        .read_latency = ratio((double)(s->read_queueing + s->read_service), reads),
        .read_queueing = ratio((double)s->read_queueing, reads),
        .read_service = ratio((double)s->read_service, reads),
        .refresh_share = ratio((double)s->refresh_cycles, cycles * channels * c->ranks),
    };
}

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

void msw_dram_server_init(msw_dram_server *server, uint64_t latency, double bytes_per_cycle)
{
    server->latency = latency;
    server->ticks_per_byte = (uint64_t)((double)(1 << MSW_DRAM_TICK_BITS) / bytes_per_cycle + 0.5);
    server->free_tick = 0;
}

static bool take_one(msw_dram_player *p, uint64_t limit)
{
    msw_dram_completion done;
    if (!msw_dram_next(p->dram, limit, &done))
        return false;
    p->last = msw_max_u64(p->last, done.time);
    p->open--;
    return true;
}

static void offer(msw_dram_player *p, uint64_t address, uint32_t bytes, bool is_write)
{
    while (!msw_dram_push(p->dram, p->now, address, bytes, is_write, 0)) {
        uint64_t room = msw_dram_room(p->dram, address, is_write);
        if (room == MSW_DRAM_NEVER)
            take_one(p, MSW_DRAM_NEVER);
        else
            p->now = msw_max_u64(p->now, room);
    }
    p->open++;
}

static void wait_for_window(msw_dram_player *p)
{
    while (p->open >= p->window) {
        take_one(p, MSW_DRAM_NEVER);
        p->now = msw_max_u64(p->now, p->last);
    }
}

static inline void offer_burst(msw_dram_player *p, uint64_t address, uint32_t bytes, bool is_write)
{
    if (!p->timed && p->window && p->open >= p->window)
        wait_for_window(p);
    uint64_t before = p->now;
    offer(p, address, bytes, is_write);
    p->offered = p->now == before ? p->offered + 1 : 1;
    if (!p->timed && p->offered >= p->width) {
        p->now++;
        p->offered = 0;
    }
}

void msw_dram_play(msw_dram_player *p, uint64_t at, uint64_t left, bool is_write)
{
    uint32_t burst = p->dram->rules.config.burst_bytes;
    uint32_t room = burst - (uint32_t)(at & (burst - 1));
    if (left - 1 < room) {
        offer_burst(p, at, (uint32_t)left, is_write);
        return;
    }
    while (left) {
        room = burst - (uint32_t)(at & (burst - 1));
        uint32_t bytes = left < room ? (uint32_t)left : room;
        offer_burst(p, at, bytes, is_write);
        at += bytes;
        left -= bytes;
    }
}

uint64_t msw_dram_play_end(msw_dram_player *p)
{
    while (take_one(p, MSW_DRAM_NEVER))
        ;
    return msw_max_u64(p->last, msw_dram_drain(p->dram));
}

uint64_t msw_dram_replay(msw_dram *dram, const msw_dram_stream *stream, uint64_t start)
{
    msw_dram_player p = {
        .dram = dram, .now = start, .window = stream->window, .timed = stream->arrival};
    for (size_t i = 0; i < stream->count; i++) {
        if (stream->arrival)
            p.now = msw_max_u64(p.now, stream->arrival[i]);
        msw_dram_play(&p, stream->address[i], stream->bytes,
                      stream->is_write && stream->is_write[i]);
    }
    return msw_dram_play_end(&p);
}
