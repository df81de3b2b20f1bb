/* SPDX-License-Identifier: MIT */
/* The mesh of all cores. */
#include "mech/mpu/machine/network.h"

#include "mech/mpu/machine/machine.h"
#include "memsweep/base/bits.h"

#include <string.h>

enum { EAST, WEST, SOUTH, NORTH, WAYS };

static uint64_t cycles_up(double cycles)
{
    uint64_t whole = (uint64_t)cycles;
    return whole + ((double)whole < cycles);
}

static void measure(mpu_network *n, const mpu_config *c)
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
    measure(n, c);
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
static uint64_t cross(mpu_network *n, mpu_message *m, int way, bool far, uint64_t time)
{
    uint64_t *link = &n->free[((size_t)m->y * n->width + m->x) * WAYS + (size_t)way];
    uint64_t start = msw_max_u64(time, *link);
    uint64_t holds = cycles_up((double)m->bytes / (far ? n->off_bytes : n->on_bytes));
    *link = start + holds;
    m->tail = msw_max_u64(m->tail + n->hop, start + holds + n->hop);
    return start + n->hop;
}

/* One link on, along x first. Returns when the head reaches the next node. */
static uint64_t go_on(mpu_network *n, mpu_message *m, position to, uint64_t time)
{
    if (m->x != to.x) {
        bool east = to.x > m->x;
        uint32_t next = east ? m->x + 1U : m->x - 1U;
        bool far = next / n->tile_width != m->x / n->tile_width;
        time = cross(n, m, east ? EAST : WEST, far, time);
        m->x = (uint16_t)next;
        return time;
    }
    bool south = to.y > m->y;
    uint32_t next = south ? m->y + 1U : m->y - 1U;
    bool far = next / n->tile_height != m->y / n->tile_height;
    time = cross(n, m, south ? SOUTH : NORTH, far, time);
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
        uint64_t head = go_on(n, m, to, event.time);
        if (m->x != to.x || m->y != to.y) {
            msw_event_push(&n->hops, head, number);
            continue;
        }
        m->time = msw_max_u64(m->tail, earliest);
        msw_event_push(&n->arrivals, m->time, number);
    }
}
