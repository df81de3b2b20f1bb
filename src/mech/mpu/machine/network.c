/* SPDX-License-Identifier: MIT */
/* Carries data over the TSVs of a core and messages over the mesh of all cores, some of which
 * caches answer. */
#include "mech/mpu/machine/machine.h"
#include "memsweep/base/bits.h"

#include <string.h>

/* ---- TSVs ---- */

void mpu_tsv_init(mpu_tsv *tsv, const mpu_config *c)
{
    memset(tsv, 0, sizeof *tsv);
    tsv->duplex = c->tsv_duplex != 0;
    tsv->slot_bytes = (uint32_t)msw_max_i64(c->tsv_bits / c->cores / 8, 1);
    tsv->slots_per_cycle = c->tsv_ghz / c->core_ghz;
    if (c->tsv_bits / c->cores < 8) /* less than a byte a beat */
        tsv->slots_per_cycle *= (double)c->tsv_bits / (double)c->cores / 8;
    tsv->delay = (uint64_t)c->tsv_cycles;
    uint32_t whole = tsv->slots_per_cycle < 1024 ? (uint32_t)tsv->slots_per_cycle : 0;
    tsv->whole = (double)whole == tsv->slots_per_cycle ? whole : 0;
    bool power = !(tsv->slot_bytes & (tsv->slot_bytes - 1));
    tsv->shift = power ? msw_bits_lowest(tsv->slot_bytes) : 64;
}

static uint64_t slot_at(const mpu_tsv *tsv, uint64_t time)
{
    if (tsv->whole)
        return time * tsv->whole;
    double exact = (double)time * tsv->slots_per_cycle;
    uint64_t slot = (uint64_t)exact;
    return slot + ((double)slot < exact);
}

static uint64_t time_of(const mpu_tsv *tsv, uint64_t slot)
{
    if (tsv->whole == 2)
        return (slot + 1) / 2;
    if (tsv->whole)
        return msw_div_up(slot, tsv->whole);
    double exact = (double)slot / tsv->slots_per_cycle;
    uint64_t time = (uint64_t)exact;
    return time + ((double)time < exact);
}

/* A word that comes into the ring: what was sent behind the ring's end has taken slots of it. */
static uint64_t taken_of_word(const mpu_tsv_way *way, uint64_t word)
{
    if (way->full <= word * 64)
        return 0;
    uint64_t taken = way->full - word * 64;
    return taken < 64 ? ((uint64_t)1 << taken) - 1 : UINT64_MAX;
}

void mpu_tsv_pass(mpu_tsv *tsv, uint64_t now)
{
    uint64_t word = (uint64_t)((double)now * tsv->slots_per_cycle) / 64;
    for (int w = 0; w < (tsv->duplex ? 2 : 1); w++) {
        mpu_tsv_way *way = &tsv->ways[w];
        if (word > way->first + MPU_TSV_WORDS)
            way->first = word - MPU_TSV_WORDS;
        for (; way->first < word; way->first++)
            way->taken[way->first % MPU_TSV_WORDS] = taken_of_word(way, way->first + MPU_TSV_WORDS);
    }
}

/* Takes up to `count` free slots of a word from bit `from` on. Returns how many; `last` is the last
 * of them. */
static uint64_t take_slots_of_word(uint64_t *taken, unsigned from, uint64_t count, unsigned *last)
{
    uint64_t free_slots = ~*taken & ~(uint64_t)0 << from, got = 0;
    for (; free_slots && got < count; got++) {
        unsigned bit = msw_bits_lowest(free_slots);
        free_slots &= free_slots - 1;
        *taken |= (uint64_t)1 << bit;
        *last = bit;
    }
    return got;
}

static uint64_t take_slots(mpu_tsv_way *way, uint64_t slot, uint64_t count)
{
    uint64_t word = slot / 64, end = slot + 1;
    unsigned from = slot % 64;
    uint64_t *first = &way->taken[word % MPU_TSV_WORDS];
    if (count == 1 && !(*first >> from & 1) && word < way->first + MPU_TSV_WORDS) {
        *first |= (uint64_t)1 << from;
        return end;
    }
    for (; count && word < way->first + MPU_TSV_WORDS; word++, from = 0) {
        unsigned last = 0;
        uint64_t got = take_slots_of_word(&way->taken[word % MPU_TSV_WORDS], from, count, &last);
        end = got ? word * 64 + last + 1 : end;
        count -= got;
    }
    if (count) {
        way->full = msw_max_u64(way->full, word * 64) + count;
        end = way->full;
    }
    return end;
}

uint64_t mpu_tsv_send(mpu_tsv *tsv, int way, uint64_t time, uint64_t bytes)
{
    if (!bytes)
        return time + tsv->delay;
    uint64_t slots = tsv->shift < 64 ? (bytes + tsv->slot_bytes - 1) >> tsv->shift
                                     : msw_div_up(bytes, tsv->slot_bytes);
    tsv->slots += slots;
    mpu_tsv_way *own = &tsv->ways[tsv->duplex ? way : 0];
    return time_of(tsv, take_slots(own, slot_at(tsv, time), slots)) + tsv->delay;
}

/* ---- the mesh ---- */

enum { EAST, WEST, SOUTH, NORTH, WAYS };

static uint64_t cycles_up(double cycles)
{
    uint64_t whole = (uint64_t)cycles;
    return whole + ((double)whole < cycles);
}

static void measure_mesh(mpu_network *n, const mpu_config *c)
{
    uint32_t cubes = (uint32_t)c->processors, across = (uint32_t)c->processor_columns;
    n->cores_per_cube = (uint32_t)c->cores;
    n->columns = across;
    n->tile_width = (uint32_t)c->core_columns;
    n->tile_height = n->cores_per_cube / n->tile_width;
    n->width = across * n->tile_width;
    n->height = (uint32_t)msw_div_up(cubes, across) * n->tile_height;
    n->on_bytes = (double)c->on_chip_bits / 8 * c->on_chip_ghz / c->core_ghz;
    n->off_bytes = (double)c->off_chip_bits / 8 * c->off_chip_ghz / c->core_ghz;
    uint64_t hop = cycles_up((double)c->router_cycles * c->core_ghz / c->router_ghz);
    n->hop = msw_max_u64(hop, 1);
    n->least = n->hop + 1;
}

int mpu_network_init(mpu_network *n, const mpu_config *c, uint32_t messages, msw_arena *arena)
{
    memset(n, 0, sizeof *n);
    measure_mesh(n, c);
    n->message_count = messages;
    n->free_message = MPU_NOBODY;
    n->free = msw_arena_zero(arena, (size_t)n->width * n->height * WAYS, sizeof *n->free);
    n->messages = msw_arena_take(arena, messages * sizeof *n->messages);
    void *hops = msw_arena_take(arena, msw_event_bytes(messages));
    void *arrivals = msw_arena_take(arena, msw_event_bytes(messages));
    if (!n->free || !n->messages || !hops || !arrivals)
        return -1;
    msw_event_init(&n->hops, messages, hops);
    msw_event_init(&n->arrivals, messages, arrivals);
    return 0;
}

/* Memory that was never used is not touched. */
uint32_t mpu_message_new(mpu_network *n)
{
    uint32_t m = n->free_message;
    if (m != MPU_NOBODY)
        n->free_message = n->messages[m].next;
    else if (n->used_messages < n->message_count)
        m = n->used_messages++;
    n->under_way += m != MPU_NOBODY;
    return m;
}

void mpu_message_free(mpu_network *n, uint32_t message)
{
    n->messages[message].next = n->free_message;
    n->free_message = message;
    n->under_way--;
}

void mpu_inbox_put(mpu_network *n, mpu_inbox *inbox, uint32_t message)
{
    n->messages[message].next = MPU_NOBODY;
    if (inbox->first == MPU_NOBODY)
        inbox->first = message;
    else
        n->messages[inbox->last].next = message;
    inbox->last = message;
}

uint32_t mpu_inbox_take(mpu_network *n, mpu_inbox *inbox)
{
    uint32_t message = inbox->first;
    inbox->first = n->messages[message].next;
    return message;
}

/* ---- on their way ---- */

typedef struct position {
    uint32_t x, y;
} position;

static position position_of(const mpu_network *n, uint32_t core)
{
    uint32_t cube = core / n->cores_per_cube, own = core % n->cores_per_cube;
    return (position){cube % n->columns * n->tile_width + own % n->tile_width,
                      cube / n->columns * n->tile_height + own / n->tile_width};
}

void mpu_network_post(mpu_network *n, uint32_t message)
{
    mpu_message *m = &n->messages[message];
    position at = position_of(n, m->from);
    m->x = (uint16_t)at.x;
    m->y = (uint16_t)at.y;
    m->tail = m->time;
    msw_event_push(&n->hops, m->time, message);
}

/* Takes the link that leaves a node. Returns when the head reaches the next one. */
static uint64_t take_link(mpu_network *n, mpu_message *m, int way, bool far, uint64_t time)
{
    uint64_t *link = &n->free[((size_t)m->y * n->width + m->x) * WAYS + (size_t)way];
    uint64_t start = msw_max_u64(time, *link);
    uint64_t holds = cycles_up((double)m->bytes / (far ? n->off_bytes : n->on_bytes));
    *link = start + holds;
    m->tail = msw_max_u64(m->tail + n->hop, start + holds + n->hop);
    return start + n->hop;
}

/* One link on, along x first. Returns when the head reaches the next node. */
static uint64_t cross_link(mpu_network *n, mpu_message *m, position to, uint64_t time)
{
    if (m->x != to.x) {
        bool east = to.x > m->x;
        uint32_t next = east ? m->x + 1U : m->x - 1U;
        bool far = next / n->tile_width != m->x / n->tile_width;
        time = take_link(n, m, east ? EAST : WEST, far, time);
        m->x = (uint16_t)next;
        return time;
    }
    bool south = to.y > m->y;
    uint32_t next = south ? m->y + 1U : m->y - 1U;
    bool far = next / n->tile_height != m->y / n->tile_height;
    time = take_link(n, m, south ? SOUTH : NORTH, far, time);
    m->y = (uint16_t)next;
    return time;
}

void mpu_network_move(mpu_network *n, uint64_t until, uint64_t earliest)
{
    msw_event event;
    while (msw_event_next(&n->hops) < until) {
        msw_event_pop(&n->hops, &event);
        uint32_t number = (uint32_t)event.data;
        mpu_message *m = &n->messages[number];
        position to = position_of(n, m->to);
        uint64_t head = cross_link(n, m, to, event.time);
        if (m->x != to.x || m->y != to.y) {
            msw_event_push(&n->hops, head, number);
            continue;
        }
        m->time = msw_max_u64(m->tail, earliest);
        msw_event_push(&n->arrivals, m->time, number);
    }
}

/* Blocks of other cores that caches answer: at the reader's network interface before a message is
 * sent, at LSU-Remote of the owner before a request goes to its memory. A look-up takes a cycle for
 * each block; blocks are there from their arrival on. */

static uint64_t block_of(const mpu_machine *m, const mpu_part *part, uint32_t bank)
{
    mpu_location at = {.core = part->core,
                       .unit = part->unit,
                       .bank = bank,
                       .row = part->row,
                       .column = part->column};
    return mpu_block_number(m->config, &at);
}

/* Looks up the blocks of a part in a cache of core `in`; those found leave it. Returns how many. */
static uint32_t look_up(mpu_machine *m, uint32_t in, int which, mpu_part *part)
{
    uint32_t found = 0;
    for (uint32_t left = part->banks; left; left &= left - 1) {
        uint32_t bank = msw_bits_lowest(left);
        if (!mpu_cache_find(&m->caches, in, which, block_of(m, part, bank)))
            continue;
        part->banks = (uint16_t)(part->banks & ~(1U << bank));
        part->blocks--;
        found++;
    }
    return found;
}

static void drop(mpu_machine *m, uint32_t in, int which, const mpu_part *part)
{
    for (uint32_t left = part->banks; left; left &= left - 1)
        mpu_cache_drop(&m->caches, in, which, block_of(m, part, msw_bits_lowest(left)));
}

static bool reads(const mpu_flight *f)
{
    return !f->is_store && !f->is_atomic;
}

/* Returns the cycles of the look-ups of a part; `from` is the core that reads it. */
static uint32_t look_up_part(mpu_machine *m, const mpu_flight *f, uint32_t from, int which,
                             mpu_part *part)
{
    uint32_t in = which == MPU_CACHE_READER ? from : part->core, blocks = part->blocks;
    if (!reads(f)) {
        drop(m, in, which, part);
        return 0;
    }
    uint32_t found = look_up(m, in, which, part);
    uint32_t to = which == MPU_CACHE_READER ? part->core : from;
    mpu_uncount_blocks(m->config, from, to, found, m->counts.totals);
    return blocks;
}

uint64_t mpu_cache_look_up(mpu_machine *m, mpu_flight *f, uint32_t from, int which)
{
    uint64_t cycles = 0;
    uint32_t left = 0;
    if (!m->caches.of)
        return 0;
    for (uint32_t i = 0; i < f->part_count; i++) {
        if (which == MPU_CACHE_OWNER || f->parts[i].core != from)
            cycles += look_up_part(m, f, from, which, &f->parts[i]);
        if (f->parts[i].blocks)
            f->parts[left++] = f->parts[i];
    }
    f->part_count = (uint16_t)left;
    return cycles;
}

void mpu_cache_fill(mpu_machine *m, const mpu_flight *f, uint32_t from, uint32_t in, int which)
{
    if (!m->caches.of || !reads(f))
        return;
    for (uint32_t i = 0; i < f->part_count; i++)
        for (uint32_t left = f->parts[i].core == from ? f->parts[i].banks : 0; left;
             left &= left - 1)
            mpu_cache_insert(&m->caches, in, which,
                             block_of(m, &f->parts[i], msw_bits_lowest(left)));
}
