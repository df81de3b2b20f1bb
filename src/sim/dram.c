/* dram: the object: its memory, requests in, completions out. */
#include "dram_queue.h"

#include <string.h>

/* ---- memory ---- */

static uint32_t pow2_above(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p <<= 1;
    return p;
}

static uint32_t completions(const msw_dram_config *c)
{
    return pow2_above(c->channels * (2 * c->read_depth + 2 * c->write_depth) + 64);
}

/* Hands out consecutive pieces of the caller's memory; with base NULL it only measures. */
static void *take(unsigned char *base, size_t *used, size_t count, size_t size)
{
    void *at = base ? base + *used : NULL;
    *used = (*used + count * size + 63) & ~(size_t)63;
    return at;
}

static uint32_t window_of(const msw_dram_config *c, uint32_t depth)
{
    return c->window && c->window < depth ? c->window : depth;
}

static void lay_out_side(dram_side *side, uint32_t depth, const msw_dram_config *c,
                         unsigned char *base, size_t *used)
{
    side->depth = depth;
    side->window = window_of(c, depth);
    side->entry = take(base, used, side->window, sizeof *side->entry);
    side->ring = take(base, used, depth, sizeof *side->ring);
    side->candidate = take(base, used, side->window, sizeof *side->candidate);
}

static size_t lay_out(msw_dram *dram, const msw_dram_config *c, unsigned char *base)
{
    size_t used = 0;
    uint32_t groups = c->ranks * c->groups;
    take(base, &used, 1, sizeof *dram);
    dram->done = take(base, &used, completions(c), sizeof *dram->done);
    dram->next_time = take(base, &used, c->channels, sizeof *dram->next_time);
    dram->server = take(base, &used, c->channels, sizeof *dram->server);
    dram->channel = take(base, &used, c->channels, sizeof *dram->channel);
    for (uint32_t i = 0; i < c->channels; i++) {
        dram_channel unplaced, *channel = base ? &dram->channel[i] : &unplaced;
        channel->unit =
            take(base, &used, (size_t)groups * c->banks * c->buffers, sizeof(dram_unit));
        channel->limit = take(base, &used, groups, 4 * sizeof *channel->limit);
        channel->rank = take(base, &used, c->ranks, sizeof(dram_rank));
        lay_out_side(&channel->side[DRAM_READS], c->read_depth, c, base, &used);
        lay_out_side(&channel->side[DRAM_WRITES], c->write_depth, c, base, &used);
    }
    return used;
}

size_t msw_dram_bytes(const msw_dram_config *config)
{
    msw_dram unplaced;
    return lay_out(&unplaced, config, NULL);
}

/* ---- rules ---- */

static uint32_t at_least(int64_t value, uint32_t floor)
{
    return value > (int64_t)floor ? (uint32_t)value : floor;
}

/* Column command to column command: CAS to CAS, write to read, and the data bus. */
static uint32_t col_gap(const msw_dram_timing *t, uint32_t from, uint32_t relation, uint32_t to)
{
    static const uint32_t NONE = 1;
    uint32_t latency[2] = {t->cl, t->cwl};
    bool other = relation == DRAM_OTHER_RANK;
    uint32_t idle = from == DRAM_READS && to == DRAM_WRITES ? t->rtw : 0;
    if (other && idle < t->rtrs)
        idle = t->rtrs;
    int64_t bus = (int64_t)latency[from] + t->bl + idle - latency[to];
    uint32_t ccd = relation == DRAM_SAME_GROUP ? t->ccd_l : other ? NONE : t->ccd_s;
    uint32_t gap = at_least(bus, ccd);
    if (from == DRAM_WRITES && to == DRAM_READS && !other)
        gap = at_least(t->cwl + t->bl + (relation == DRAM_SAME_GROUP ? t->wtr_l : t->wtr_s), gap);
    return gap;
}

static void fill_rules(dram_rules *rules)
{
    const msw_dram_config *c = &rules->config;
    const msw_dram_timing *t = &c->t;
    rules->groups = c->ranks * c->groups;
    rules->banks_per_rank = c->groups * c->banks;
    rules->units_per_rank = rules->banks_per_rank * c->buffers;
    rules->units = rules->units_per_rank * c->ranks;
    rules->buffer_mask = c->buffers - 1;
    for (rules->burst_shift = 0; (1u << rules->burst_shift) < c->burst_bytes;)
        rules->burst_shift++;
    for (uint32_t from = 0; from < 2; from++)
        for (uint32_t relation = 0; relation < 3; relation++)
            for (uint32_t to = 0; to < 2; to++)
                rules->col_gap[from][relation][to] = col_gap(t, from, relation, to);
    rules->col_to_pre[DRAM_READS] = t->rtp;
    rules->col_to_pre[DRAM_WRITES] = t->cwl + t->bl + t->wr;
    rules->data_delay[DRAM_READS] = t->cl + t->bl;
    rules->data_delay[DRAM_WRITES] = t->cwl + t->bl;
}

static void start_side(dram_side *side)
{
    for (uint32_t i = 0; i < side->window; i++)
        side->entry[i].next = (uint16_t)(i + 1 < side->window ? i + 1 : DRAM_NONE);
}

static void start_channel(const dram_rules *rules, dram_channel *channel)
{
    for (uint32_t u = 0; u < rules->units; u++) {
        dram_unit *unit = &channel->unit[u];
        uint32_t bank = u / rules->config.buffers;
        unit->bank = (uint16_t)bank;
        unit->buffer = (uint16_t)(u & rules->buffer_mask);
        unit->group = (uint16_t)(bank / rules->config.banks);
        unit->rank = (uint16_t)(unit->group / rules->config.groups);
        unit->open_row = DRAM_NO_ROW;
        for (uint32_t side = 0; side < 2; side++)
            unit->list[side] = (dram_list){DRAM_NONE, DRAM_NONE, DRAM_NONE, DRAM_NONE};
    }
    start_side(&channel->side[DRAM_READS]);
    start_side(&channel->side[DRAM_WRITES]);
    dram_refresh_start(rules, channel);
}

msw_dram *msw_dram_init(void *memory, const msw_dram_config *config, msw_err *err)
{
    if (msw_dram_check(config, err))
        return NULL;
    memset(memory, 0, msw_dram_bytes(config));
    msw_dram *dram = memory;
    lay_out(dram, config, memory);
    dram->rules.config = *config;
    fill_rules(&dram->rules);
    if (msw_dram_map_init(&dram->rules.map, config, err))
        return NULL;
    dram->done_mask = completions(config) - 1;
    for (uint32_t i = 0; i < config->channels; i++) {
        dram->channel[i].index = i;
        if (config->kind == MSW_DRAM_FIXED)
            msw_dram_server_init(&dram->server[i], config->fixed_latency,
                                 config->fixed_bytes_per_cycle);
        dram->next_time[i] = MSW_DRAM_NEVER;
        start_channel(&dram->rules, &dram->channel[i]);
        if (config->kind == MSW_DRAM_BANKS)
            dram_plan(dram, &dram->channel[i]);
    }
    return dram;
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
}

size_t msw_dram_traced(const msw_dram *dram)
{
    return dram->traced;
}

/* ---- requests ---- */

static void count_arrival(msw_dram_stats *s, uint64_t time, bool is_write)
{
    if (!s->reads && !s->writes)
        s->first_arrival = time;
    s->reads += !is_write;
    s->writes += is_write;
}

/* A request that has just been offered. */
typedef struct offered {
    uint64_t time, burst, tag;
    uint32_t bytes, row, unit;
    bool is_write;
} offered;

static void answer(msw_dram *dram, const offered *r, uint64_t time)
{
    msw_dram_completion *done = dram_done_insert(dram, time);
    done->tag = r->tag;
    done->arrival = r->time;
    done->is_write = r->is_write;
    done->outcome = MSW_DRAM_QUEUED;
}

static void push_fixed(msw_dram *dram, dram_channel *channel, const offered *r)
{
    msw_dram_stats *s = &channel->stats;
    msw_dram_server *server = &dram->server[channel->index];
    uint64_t start = dram_max(server->free_tick >> 20, r->time);
    uint64_t end = msw_dram_server_take(server, r->time, r->bytes);
    *(r->is_write ? &s->bytes_written : &s->bytes_read) += r->bytes;
    *(r->is_write ? &s->write_queueing : &s->read_queueing) += start - r->time;
    *(r->is_write ? &s->write_service : &s->read_service) += end - start;
    s->last_data = end;
    s->data_cycles += r->bytes * server->ticks_per_byte >> 20;
    if (!r->is_write)
        dram_count_latency(s, end - r->time);
    answer(dram, r, end);
}

static inline bool write_queued(const dram_channel *channel, uint32_t unit, uint64_t burst)
{
    const dram_request *entry = channel->side[DRAM_WRITES].entry;
    for (uint16_t at = channel->unit[unit].list[DRAM_WRITES].head; at != DRAM_NONE;
         at = entry[at].next)
        if (entry[at].burst == burst)
            return true;
    return false;
}

static void forward(msw_dram *dram, dram_channel *channel, const offered *r)
{
    uint32_t front = dram->rules.config.front;
    channel->stats.forwarded++;
    channel->stats.bytes_read += r->bytes;
    channel->stats.read_service += front;
    dram_count_latency(&channel->stats, front);
    answer(dram, r, r->time + front);
}

static inline bool has_room(const msw_dram *dram, const dram_channel *channel, bool is_write)
{
    const dram_side *side = &channel->side[is_write];
    return side->used + side->waiting < side->depth && dram->done_count < dram->done_mask / 2;
}

static inline void fill_slot(dram_request *slot, const offered *r, uint64_t seq)
{
    slot->arrival = r->time;
    slot->tag = r->tag;
    slot->burst = r->burst;
    slot->first = 0;
    slot->seq = seq;
    slot->row = r->row;
    slot->unit = (uint16_t)r->unit;
    slot->bytes = (uint16_t)r->bytes;
}

static inline void accept(msw_dram *dram, dram_channel *channel, const offered *r)
{
    const dram_rules *rules = &dram->rules;
    uint64_t from = r->time + rules->config.front;
    channel->bus_free[0] = dram_max(channel->bus_free[0], from);
    channel->bus_free[1] = dram_max(channel->bus_free[1], from);
    fill_slot(dram_free_slot(&channel->side[r->is_write]), r, channel->seq++);
    bool changed = dram_enqueue(rules, channel, r->is_write);
    dram->pending++;
    if (dram_choose_mode(rules, channel))
        dram_plan(dram, channel);
    else if (changed)
        dram_plan_arrival(dram, channel, r->unit);
    if (r->is_write && rules->config.posted_writes)
        answer(dram, r, from);
}

/* Issues every command that a request at `time` is too late to influence. */
static void catch_up(msw_dram *dram, dram_channel *channel, uint64_t time)
{
    dram_refresh_skip(dram, channel, time);
    dram_run_channel(dram, channel, time + dram->rules.config.front);
}

bool msw_dram_push(msw_dram *dram, uint64_t time, uint64_t address, uint32_t bytes, bool is_write,
                   uint64_t tag)
{
    const dram_rules *rules = &dram->rules;
    msw_dram_place place = dram_locate(&rules->map, address);
    dram_channel *channel = &dram->channel[place.channel];
    if (dram->next_time[place.channel] < time + rules->config.front)
        catch_up(dram, channel, time);
    if (!has_room(dram, channel, is_write))
        return false;
    offered r = {.time = time,
                 .burst = address >> rules->burst_shift,
                 .tag = tag,
                 .bytes = bytes,
                 .row = place.row,
                 .unit = place.bank * rules->config.buffers + (place.row & rules->buffer_mask),
                 .is_write = is_write};
    count_arrival(&channel->stats, time, is_write);
    if (rules->config.kind == MSW_DRAM_FIXED)
        push_fixed(dram, channel, &r);
    else if (!is_write && rules->config.forward && write_queued(channel, r.unit, r.burst))
        forward(dram, channel, &r);
    else
        accept(dram, channel, &r);
    return true;
}

/* ---- completions ---- */

bool msw_dram_next(msw_dram *dram, uint64_t limit, msw_dram_completion *completion)
{
    dram_run_until(dram, limit);
    const msw_dram_completion *first = &dram->done[dram->done_head & dram->done_mask];
    if (!dram->done_count || first->time > limit)
        return false;
    *completion = *first;
    dram->done_head++;
    dram->done_count--;
    return true;
}

uint64_t msw_dram_room(msw_dram *dram, uint64_t address, bool is_write)
{
    msw_dram_place place = msw_dram_locate(&dram->rules.map, address);
    dram_channel *channel = &dram->channel[place.channel];
    uint64_t time = 0;
    while (!has_room(dram, channel, is_write)) {
        if (dram->done_count >= dram->done_mask / 2)
            return MSW_DRAM_NEVER;
        time = dram->next_time[place.channel];
        dram_step(dram, channel);
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
            dram_step(dram, &dram->channel[i]);
    uint64_t last = 0;
    for (uint32_t i = 0; i < dram->rules.config.channels; i++)
        last = dram_max(last, dram->channel[i].stats.last_data);
    return last;
}
