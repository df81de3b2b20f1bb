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
    n->sent = msw_arena_take(arena, messages * sizeof *n->sent);
    void *heap = msw_arena_take(arena, msw_event_bytes(messages));
    if (!n->free || !n->messages || !n->sent || !heap)
        return -1;
    msw_event_init(&n->arrivals, messages, heap);
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

void mpu_network_post(mpu_network *n, uint32_t message)
{
    n->sent[n->sent_count++] = message;
}

/* ---- routing ---- */

typedef struct position {
    uint32_t x, y;
} position;

static position position_of(const mpu_network *n, uint32_t core)
{
    uint32_t cube = core / n->cores_per_cube, own = core % n->cores_per_cube;
    return (position){cube % n->columns * n->tile_width + own % n->tile_width,
                      cube / n->columns * n->tile_height + own / n->tile_width};
}

/* Takes the link that leaves a node. Returns when the head reaches the next one. */
static uint64_t cross(mpu_network *n, position at, int way, bool far, uint64_t time, uint64_t bytes,
                      uint64_t *tail)
{
    uint64_t *link = &n->free[((size_t)at.y * n->width + at.x) * WAYS + (size_t)way];
    uint64_t start = msw_max_u64(time, *link);
    uint64_t holds = cycles_up((double)bytes / (far ? n->off_bytes : n->on_bytes));
    *link = start + holds;
    *tail = msw_max_u64(*tail + n->hop, start + holds + n->hop);
    return start + n->hop;
}

static void route(mpu_network *n, mpu_message *m)
{
    position at = position_of(n, m->from), to = position_of(n, m->to);
    uint64_t head = m->time, tail = m->time;
    while (at.x != to.x) {
        bool east = to.x > at.x;
        uint32_t next = east ? at.x + 1 : at.x - 1;
        bool far = next / n->tile_width != at.x / n->tile_width;
        head = cross(n, at, east ? EAST : WEST, far, head, m->bytes, &tail);
        at.x = next;
    }
    while (at.y != to.y) {
        bool south = to.y > at.y;
        uint32_t next = south ? at.y + 1 : at.y - 1;
        bool far = next / n->tile_height != at.y / n->tile_height;
        head = cross(n, at, south ? SOUTH : NORTH, far, head, m->bytes, &tail);
        at.y = next;
    }
    m->time = msw_max_u64(tail, m->time + n->least);
}

static bool before(const mpu_network *n, uint32_t a, uint32_t b)
{
    const mpu_message *x = &n->messages[a], *y = &n->messages[b];
    return x->time != y->time ? x->time < y->time : a < b;
}

/* Messages of a window come core after core, each core's nearly in order. */
static void sort(mpu_network *n, uint32_t count)
{
    uint32_t *list = n->sent;
    for (uint32_t gap = count / 2; gap; gap /= 2)
        for (uint32_t i = gap; i < count; i++)
            for (uint32_t j = i; j >= gap && before(n, list[j], list[j - gap]); j -= gap) {
                uint32_t swap = list[j];
                list[j] = list[j - gap];
                list[j - gap] = swap;
            }
}

void mpu_network_route(mpu_network *n, uint64_t earliest)
{
    sort(n, n->sent_count);
    for (uint32_t i = 0; i < n->sent_count; i++) {
        mpu_message *m = &n->messages[n->sent[i]];
        route(n, m);
        m->time = msw_max_u64(m->time, earliest);
        msw_event_push(&n->arrivals, m->time, n->sent[i]);
    }
    n->sent_count = 0;
}
