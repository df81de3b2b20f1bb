/* SPDX-License-Identifier: MIT */
/* Runs the memory with banks (memsweep/sim/dram.h), in cycles of NPUs. A line that leaves a slice
 * is put in the row of its channel, in the order of time, and offered when its time has come and
 * the queue of the channel has room. A group of lines is there when the last of what was read for
 * it is, and the controller has taken what was written for it: so much is under way at most. Stores
 * that are waited for are over when the controller has taken them. */
#include "mech/camdn/machine/system.h"

enum { NOBODY = UINT32_MAX, SLOT_BITS = 18, TENANT_SHIFT = SLOT_BITS + 1 };
static const uint32_t OF_WALK = 1U << 31, OF_NOBODY = 1U << 30, OF_STORE = 1U << 29;

static uint32_t pieces_of(const camdn_config *c, const msw_dram_config *dram)
{
    return (uint32_t)msw_div_up((uint64_t)c->line, dram->burst_bytes);
}

/* One request to read and one to write back for each line, in every group and a further one. */
static size_t most_requests(const camdn_config *c, const msw_dram_config *dram)
{
    size_t groups = (size_t)camdn_groups(c) + 1;
    size_t walks = c->translation.kind > CAMDN_TRANSLATE_IDEAL && c->translation.memory
                       ? 2 * (size_t)(c->tenants * c->translation.walkers) * pieces_of(c, dram)
                       : 0;
    return (size_t)c->tenants * groups * camdn_gang_most(c) * (size_t)c->burst * 2 *
               pieces_of(c, dram) +
           walks;
}

static size_t pool_bytes(const camdn_config *c, const msw_dram_config *dram)
{
    return msw_div_up(most_requests(c, dram) * sizeof(camdn_request), 64) * 64;
}

static size_t lanes_bytes(const camdn_config *c)
{
    return msw_div_up((size_t)camdn_channels(c) * sizeof(camdn_lane), 64) * 64;
}

size_t camdn_banks_bytes(const camdn_config *c)
{
    if (c->memory != CAMDN_MEMORY_BANKS)
        return 0;
    char map[CAMDN_MAP_BYTES];
    msw_dram_config dram = camdn_banks_of(c, map);
    return pool_bytes(c, &dram) + lanes_bytes(c) + msw_dram_bytes(&dram);
}

int camdn_banks_start(camdn_system *s, char *memory, msw_err *err)
{
    const camdn_config *c = s->config;
    camdn_banks *b = &s->banks;
    char map[CAMDN_MAP_BYTES];
    msw_dram_config dram = camdn_banks_of(c, map);
    size_t count = most_requests(c, &dram);
    b->pool = (void *)memory;
    b->lanes = (void *)(memory + pool_bytes(c, &dram));
    b->pieces = pieces_of(c, &dram);
    for (size_t i = 0; i < count; i++)
        b->pool[i].next = i + 1 < count ? (uint32_t)i + 1 : NOBODY;
    for (int64_t i = 0; i < camdn_channels(c); i++)
        b->lanes[i] = (camdn_lane){.head = NOBODY, .tail = NOBODY, .due = UINT64_MAX};
    if (msw_dram_map_init(&b->map, &dram, err))
        return -1;
    b->dram = msw_dram_init(memory + pool_bytes(c, &dram) + lanes_bytes(c), &dram, err);
    return b->dram ? 0 : -1;
}

/* ---- colours ---- */

/* The length of the memory of a tenant is known when all have theirs. */
void camdn_banks_colour(camdn_system *s)
{
    camdn_banks *b = &s->banks;
    const msw_graph_product *mix = s->draws.mix;
    unsigned bits = camdn_colour_bits(&b->map, &b->shift);
    b->colour_bits = msw_bits_highest((uint64_t)s->config->colours);
    b->shift += bits - b->colour_bits;
    b->each = s->count > 1 ? s->bases[2 * mix->count] - s->bases[0] : UINT64_MAX;
}

/* The place of an address when its tenant has but the banks of a colour: the bits above move up. */
static uint64_t coloured(const camdn_system *s, uint64_t address)
{
    const camdn_banks *b = &s->banks;
    if (b->colour_bits == 0)
        return address;
    uint64_t owner = (address - s->bases[0]) / b->each;
    uint64_t colour = owner & (((uint64_t)1 << b->colour_bits) - 1);
    uint64_t low = address & (((uint64_t)1 << b->shift) - 1);
    return ((address >> b->shift) << b->colour_bits | colour) << b->shift | low;
}

/* ---- on the way to a channel ---- */

static void set_due(const camdn_banks *b, camdn_lane *lane)
{
    lane->due = UINT64_MAX;
    if (lane->head != NOBODY)
        lane->due = msw_max_u64(msw_max_u64(b->pool[lane->head].time, lane->full), b->now);
}

/* Behind those of its time: mostly at the end. */
static void queue_request(camdn_banks *b, camdn_lane *lane, uint32_t number)
{
    camdn_request *r = &b->pool[number];
    uint32_t before = lane->tail;
    while (before != NOBODY && b->pool[before].time > r->time)
        before = b->pool[before].before;
    uint32_t next = before == NOBODY ? lane->head : b->pool[before].next;
    r->before = before;
    r->next = next;
    *(before == NOBODY ? &lane->head : &b->pool[before].next) = number;
    *(next == NOBODY ? &lane->tail : &b->pool[next].before) = number;
    if (before == NOBODY)
        set_due(b, lane);
}

/* The channel comes last in the map: next to the offset. */
static uint32_t channel_of(const camdn_banks *b, uint64_t address)
{
    const msw_dram_piece *channel = &b->map.first[0];
    return (uint32_t)(address >> channel->shift) & channel->mask;
}

void camdn_banks_push(camdn_system *s, uint32_t tenant, uint64_t line, uint64_t time,
                      camdn_move move)
{
    camdn_banks *b = &s->banks;
    camdn_npu *n = &s->npus[tenant];
    uint64_t address = coloured(s, line << s->servers.line_shift),
             bytes = (uint64_t)s->config->line / b->pieces;
    bool read = move == CAMDN_MOVE_READ, waited = move == CAMDN_MOVE_STORE && s->config->stores;
    for (uint32_t i = 0; i < b->pieces; i++, address += bytes) {
        uint32_t number = b->free;
        camdn_request *r = &b->pool[number];
        b->free = r->next;
        b->under_way++;
        r->time = time;
        r->address = address;
        r->tag = tenant << TENANT_SHIFT | n->slot << 1 | n->at | (waited ? OF_STORE : 0);
        r->write = !read;
        n->pending[n->slot]++;
        n->tiles[n->at].pending += read;
        n->dma.storing += waited;
        queue_request(b, &b->lanes[channel_of(b, address)], number);
    }
}

/* In the name of a walk, or of nobody: as much as a channel moves at once. */
static void push_other(camdn_system *s, uint64_t address, uint64_t time, uint32_t tag, bool write)
{
    camdn_banks *b = &s->banks;
    uint32_t number = b->free;
    camdn_request *r = &b->pool[number];
    b->free = r->next;
    b->under_way++;
    r->time = time;
    r->address = address & ~((uint64_t)s->config->line - 1);
    r->tag = tag;
    r->write = write;
    queue_request(b, &b->lanes[channel_of(b, r->address)], number);
}

void camdn_banks_read(camdn_system *s, uint64_t address, uint64_t time, uint32_t walk)
{
    push_other(s, address, time, OF_WALK | walk, false);
}

void camdn_banks_write(camdn_system *s, uint64_t address, uint64_t time)
{
    push_other(s, address, time, OF_NOBODY, true);
}

/* Offers the first request of a channel. */
static void offer(const camdn_system *s, camdn_banks *b, camdn_lane *lane)
{
    uint32_t number = lane->head;
    camdn_request *r = &b->pool[number];
    uint32_t bytes = (uint32_t)s->config->line / b->pieces;
    b->now = lane->due;
    if (msw_dram_push(b->dram, b->now, r->address, bytes, r->write, r->tag)) {
        lane->head = r->next;
        *(r->next == NOBODY ? &lane->tail : &b->pool[r->next].before) = NOBODY;
        r->next = b->free;
        b->free = number;
        lane->full = 0;
    } else {
        uint64_t room = msw_dram_room(b->dram, r->address, r->write);
        lane->full = room == MSW_DRAM_NEVER || room <= b->now ? b->now + 1 : room;
    }
    set_due(b, lane);
}

/* ---- and back ---- */

void camdn_npu_park(camdn_npu *n, camdn_parked parked)
{
    n->parked = parked;
    n->resume = n->time;
    n->time = UINT64_MAX;
}

/* Returns whether nothing is left of what an NPU is parked for. */
static bool has_all(const camdn_npu *n)
{
    if (n->parked == CAMDN_FOR_SLOT)
        return n->pending[n->slot] == 0;
    if (n->parked == CAMDN_FOR_TILE)
        return n->tiles[n->awaited].pending == 0;
    return n->parked == CAMDN_FOR_STORES && n->dma.storing == 0;
}

/* Returns whether an NPU goes on. */
static bool arrive(camdn_system *s, const msw_dram_completion *done)
{
    uint32_t tag = (uint32_t)done->tag & ~OF_STORE, tenant = tag >> TENANT_SHIFT;
    uint32_t slot = tag >> 1 & ((1U << SLOT_BITS) - 1);
    s->banks.under_way--;
    if (tag & (OF_WALK | OF_NOBODY)) {
        s->banks.read = tag & OF_WALK;
        s->banks.walk = tag & ~OF_WALK;
        s->banks.read_time = done->time;
        return s->banks.read;
    }
    camdn_npu *n = &s->npus[tenant];
    camdn_tile *tile = &n->tiles[tag & 1];
    n->pending[slot]--;
    n->slots[slot] = msw_max_u64(n->slots[slot], done->time);
    if (!done->is_write) {
        tile->pending--;
        tile->arrived = msw_max_u64(tile->arrived, done->time);
        tile->arrived_memory = msw_max_u64(tile->arrived_memory, done->time);
    }
    if (done->tag & OF_STORE) {
        n->dma.storing--;
        n->dma.stored = msw_max_u64(n->dma.stored, done->time);
    }
    if (!has_all(n))
        return false;
    bool slot_free = n->parked == CAMDN_FOR_SLOT;
    n->parked = CAMDN_NOT_PARKED;
    n->time = msw_max_u64(n->resume, done->time);
    if (slot_free) {
        n->time = msw_max_u64(n->time, n->slots[n->slot]);
        if (s->config->throttle)
            camdn_throttle_stop(n, n->held);
    }
    camdn_heap_update(s, tenant);
    return true;
}

static camdn_lane *first_lane(const camdn_system *s)
{
    camdn_lane *first = s->banks.lanes;
    for (int64_t i = 1; i < s->servers.channel_count; i++)
        first = s->banks.lanes[i].due < first->due ? &s->banks.lanes[i] : first;
    return first;
}

void camdn_banks_run(camdn_system *s, uint64_t limit)
{
    camdn_banks *b = &s->banks;
    while (b->under_way > 0) {
        msw_dram_completion done;
        camdn_lane *lane = first_lane(s);
        if (msw_dram_next(b->dram, msw_min_u64(lane->due, limit), &done)) {
            if (arrive(s, &done))
                return;
        } else if (lane->due > limit) {
            return;
        } else {
            offer(s, b, lane);
        }
    }
}
