/* SPDX-License-Identifier: MIT */
/* One event per packet: its first flit has reached its next link, or it is delivered. Events of one
 * cycle go in the order in which their packets were sent, whenever the caller sent them. */
#include "memsweep/sim/mesh.h"

#include "memsweep/base/bits.h"
#include "sim/block.h"

#include <assert.h>

enum { ORDER_BITS = 20, NO_SLOT = -1 };

typedef struct mesh_slot {
    msw_mesh_packet packet;
    uint64_t tail;  /* when its last flit has reached the node where it is */
    uint32_t order; /* of sending, modulo 2^20 */
    uint16_t node;
    uint8_t way;  /* of the link that it has reached; MSW_MESH_WAYS: delivered */
    int32_t next; /* free slots */
} mesh_slot;

typedef struct mesh_kind {
    uint32_t shift, hop; /* log2 of bytes per cycle; cycles to the next link */
} mesh_kind;

enum { NEAR, FAR, PORT, KINDS };

struct msw_mesh {
    msw_mesh_config config;
    mesh_kind kinds[KINDS];
    msw_event_queue events;
    mesh_slot *slots;
    msw_mesh_link *links; /* node x ways + way */
    uint8_t *kind;        /* of each */
    int32_t free_slot;
    uint32_t sent;
};

static size_t lay_out(msw_mesh *mesh, const msw_mesh_config *c, msw_memory_block *block)
{
    size_t links = (size_t)c->width * c->height * MSW_MESH_WAYS;
    msw_memory_block_take(block, sizeof *mesh);
    mesh->slots = msw_memory_block_zero(block, c->packets * sizeof *mesh->slots);
    mesh->links = msw_memory_block_zero(block, links * sizeof *mesh->links);
    mesh->kind = msw_memory_block_zero(block, links);
    void *events = msw_memory_block_take(block, msw_event_bytes(c->packets));
    if (block->memory)
        msw_event_init(&mesh->events, c->packets, events);
    return block->used;
}

size_t msw_mesh_bytes(const msw_mesh_config *config)
{
    msw_mesh unplaced;
    msw_memory_block block = {0};
    return lay_out(&unplaced, config, &block);
}

/* ---- the check ---- */

typedef struct mesh_range {
    const char *name;
    uint32_t value, least, most;
    bool power;
} mesh_range;

/* Tiles, and so links between tiles, are optional: without them the values of far links are not
 * looked at. */
int msw_mesh_check(const msw_mesh_config *c, msw_err *err)
{
    bool far = c->tile_width || c->tile_height;
    const mesh_range ranges[] = {
        {"width", c->width, 1, 256, false},
        {"height", c->height, 1, 256, false},
        {"link_bytes", c->link_bytes, 1, 65536, true},
        {"hop_cycles", c->hop_cycles, 1, 1 << 20, false},
        {"port_bytes", c->port_bytes, 1, 65536, true},
        {"port_cycles", c->port_cycles, 1, 1 << 20, false},
        {"tile_width", c->tile_width, 0, 256, false},
        {"tile_height", c->tile_height, 0, 256, false},
        {"far_bytes", far ? c->far_bytes : 1, 1, 65536, true},
        {"far_hop", far ? c->far_hop : 1, 1, 1 << 20, false},
        {"packets", c->packets, 1, MSW_MESH_PACKETS_MOST - 1, false},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const mesh_range *r = &ranges[i];
        if (r->value < r->least || r->value > r->most)
            return msw_fail(err, "mesh: %s is %u, allowed are %u to %u", r->name, r->value,
                            r->least, r->most);
        if (r->power && r->value & (r->value - 1))
            return msw_fail(err, "mesh: %s is %u, must be a power of two", r->name, r->value);
    }
    if (c->width * c->height > MSW_MESH_NODES_MOST)
        return msw_fail(err, "mesh: %u x %u nodes, at most %d", c->width, c->height,
                        MSW_MESH_NODES_MOST);
    return 0;
}

/* ---- start ---- */

static bool leaves_tile(uint32_t at, uint32_t next, uint32_t tile)
{
    return tile && at / tile != next / tile;
}

static uint8_t kind_of(const msw_mesh_config *c, uint32_t node, uint32_t way)
{
    uint32_t x = node % c->width, y = node / c->width;
    if (way >= MSW_MESH_IN)
        return PORT;
    bool far = false;
    far |= way == MSW_MESH_EAST && leaves_tile(x, x + 1, c->tile_width);
    far |= way == MSW_MESH_WEST && x && leaves_tile(x, x - 1, c->tile_width);
    far |= way == MSW_MESH_SOUTH && leaves_tile(y, y + 1, c->tile_height);
    far |= way == MSW_MESH_NORTH && y && leaves_tile(y, y - 1, c->tile_height);
    return far ? FAR : NEAR;
}

msw_mesh *msw_mesh_init(void *memory, const msw_mesh_config *config, msw_err *err)
{
    msw_mesh *mesh = memory;
    msw_memory_block block = {.memory = memory};
    if (msw_mesh_check(config, err))
        return NULL;
    *mesh = (msw_mesh){.config = *config};
    lay_out(mesh, config, &block);
    mesh->kinds[NEAR] = (mesh_kind){msw_bits_log2(config->link_bytes), config->hop_cycles};
    mesh->kinds[PORT] = (mesh_kind){msw_bits_log2(config->port_bytes), config->port_cycles};
    if (config->tile_width || config->tile_height)
        mesh->kinds[FAR] = (mesh_kind){msw_bits_log2(config->far_bytes), config->far_hop};
    for (uint32_t node = 0; node < config->width * config->height; node++)
        for (uint32_t way = 0; way < MSW_MESH_WAYS; way++)
            mesh->kind[node * MSW_MESH_WAYS + way] = kind_of(config, node, way);
    for (uint32_t i = 0; i < config->packets; i++)
        mesh->slots[i].next = i + 1 < config->packets ? (int32_t)(i + 1) : NO_SLOT;
    return mesh;
}

/* ---- packets ---- */

static uint8_t next_way(const msw_mesh *mesh, uint32_t node, uint32_t to)
{
    uint32_t width = mesh->config.width;
    uint32_t x = node % width, wanted = to % width;
    if (x != wanted)
        return x < wanted ? MSW_MESH_EAST : MSW_MESH_WEST;
    if (node != to)
        return node < to ? MSW_MESH_SOUTH : MSW_MESH_NORTH;
    return MSW_MESH_OUT;
}

static uint16_t neighbour(const msw_mesh *mesh, uint32_t node, uint8_t way)
{
    static const int STEP_X[MSW_MESH_WAYS] = {1, -1, 0, 0, 0, 0};
    static const int STEP_Y[MSW_MESH_WAYS] = {0, 0, -1, 1, 0, 0};
    return (uint16_t)((int)node + STEP_X[way] + STEP_Y[way] * (int)mesh->config.width);
}

static void push(msw_mesh *mesh, int32_t index, uint64_t time)
{
    uint64_t key = time << ORDER_BITS | mesh->slots[index].order;
    bool room = msw_event_push(&mesh->events, key, (uint64_t)index);
    assert(room);
    (void)room;
}

bool msw_mesh_send(msw_mesh *mesh, const msw_mesh_packet *packet)
{
    int32_t index = mesh->free_slot;
    assert(packet->bytes && packet->bytes <= UINT32_MAX);
    assert(packet->from < mesh->config.width * mesh->config.height &&
           packet->to < mesh->config.width * mesh->config.height);
    if (index == NO_SLOT)
        return false;
    mesh->free_slot = mesh->slots[index].next;
    mesh->slots[index] = (mesh_slot){.packet = *packet,
                                     .tail = packet->time,
                                     .order = mesh->sent,
                                     .node = packet->from,
                                     .way = MSW_MESH_IN};
    mesh->sent = (mesh->sent + 1) & ((1u << ORDER_BITS) - 1);
    push(mesh, index, packet->time);
    return true;
}

/* The first flit has reached a link: when the packet has it, and when the next is reached. */
static void pass(msw_mesh *mesh, int32_t index, uint64_t time)
{
    mesh_slot *slot = &mesh->slots[index];
    uint32_t number = slot->node * MSW_MESH_WAYS + slot->way;
    msw_mesh_link *link = &mesh->links[number];
    const mesh_kind *kind = &mesh->kinds[mesh->kind[number]];
    uint64_t start = link->free > time ? link->free : time;
    uint64_t end = start + ((slot->packet.bytes + (1u << kind->shift) - 1) >> kind->shift);
    end = end > slot->tail ? end : slot->tail;
    link->free = end;
    link->packets++;
    link->bytes += slot->packet.bytes;
    link->busy_cycles += end - start;
    link->wait_cycles += start - time;
    slot->tail = end + kind->hop;
    bool last = slot->way == MSW_MESH_OUT;
    slot->node = neighbour(mesh, slot->node, slot->way);
    slot->way = last ? MSW_MESH_WAYS : next_way(mesh, slot->node, slot->packet.to);
    push(mesh, index, last ? slot->tail : start + kind->hop);
}

bool msw_mesh_take(msw_mesh *mesh, uint64_t limit, msw_mesh_packet *packet)
{
    msw_event event;
    while (msw_event_next(&mesh->events) >> ORDER_BITS <= limit &&
           msw_event_pop(&mesh->events, &event)) {
        int32_t index = (int32_t)event.data;
        mesh_slot *slot = &mesh->slots[index];
        uint64_t time = event.time >> ORDER_BITS;
        if (slot->way != MSW_MESH_WAYS) {
            pass(mesh, index, time);
            continue;
        }
        *packet = slot->packet;
        packet->time = time;
        slot->next = mesh->free_slot;
        mesh->free_slot = index;
        return true;
    }
    return false;
}

uint64_t msw_mesh_idle_cycles(const msw_mesh *mesh, uint32_t from, uint32_t to, uint64_t bytes)
{
    uint64_t first = 0, tail = 0;
    uint32_t node = from, way = MSW_MESH_IN;
    for (;;) {
        const mesh_kind *kind = &mesh->kinds[mesh->kind[node * MSW_MESH_WAYS + way]];
        uint64_t end = first + ((bytes + (1u << kind->shift) - 1) >> kind->shift);
        end = end > tail ? end : tail;
        tail = end + kind->hop;
        first += kind->hop;
        if (way == MSW_MESH_OUT)
            return tail;
        node = neighbour(mesh, node, (uint8_t)way);
        way = next_way(mesh, node, to);
    }
}

const msw_mesh_link *msw_mesh_link_of(const msw_mesh *mesh, uint32_t node, msw_mesh_way way)
{
    return &mesh->links[node * MSW_MESH_WAYS + way];
}
