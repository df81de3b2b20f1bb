/* The mesh of all cores without time. */
#include "mech/mpu/closed/links.h"
#include "memsweep/base/bits.h"

enum { EAST, WEST, SOUTH, NORTH, WAYS };

typedef struct position {
    uint32_t x, y;
} position;

int mpu_links_init(mpu_links *l, const mpu_config *c, msw_arena *arena)
{
    uint64_t across = (uint64_t)c->processor_columns;
    l->tile_wide = (uint32_t)c->core_columns;
    l->tile_high = (uint32_t)(c->cores / c->core_columns);
    l->wide = (uint32_t)across * l->tile_wide;
    l->high = (uint32_t)msw_div_up((uint64_t)c->processors, across) * l->tile_high;
    size_t count = (size_t)l->wide * l->high * WAYS;
    l->bytes = msw_arena_zero(arena, count, sizeof *l->bytes);
    l->messages = msw_arena_zero(arena, count, sizeof *l->messages);
    return l->bytes && l->messages ? 0 : -1;
}

static position position_of(const mpu_links *l, const mpu_config *c, uint32_t core)
{
    uint32_t cores = (uint32_t)c->cores, across = (uint32_t)c->processor_columns;
    uint32_t cube = core / cores, own = core % cores;
    return (position){cube % across * l->tile_wide + own % l->tile_wide,
                      cube / across * l->tile_high + own / l->tile_wide};
}

static void cross(mpu_links *l, position at, int way, double bytes)
{
    size_t link = ((size_t)at.y * l->wide + at.x) * WAYS + (size_t)way;
    l->bytes[link] += bytes;
    l->messages[link]++;
}

uint32_t mpu_links_add(mpu_links *l, const mpu_config *c, uint32_t from, uint32_t to, double bytes)
{
    position at = position_of(l, c, from), end = position_of(l, c, to);
    uint32_t crossed = 0;
    for (; at.x != end.x; crossed++) {
        cross(l, at, end.x > at.x ? EAST : WEST, bytes);
        at.x += end.x > at.x ? 1 : UINT32_MAX;
    }
    for (; at.y != end.y; crossed++) {
        cross(l, at, end.y > at.y ? SOUTH : NORTH, bytes);
        at.y += end.y > at.y ? 1 : UINT32_MAX;
    }
    return crossed;
}

static bool leaves_cube(const mpu_links *l, uint32_t x, uint32_t y, int way)
{
    if (way == EAST || way == WEST)
        return (way == EAST ? x + 1 : x) % l->tile_wide == 0;
    return (way == SOUTH ? y + 1 : y) % l->tile_high == 0;
}

void mpu_links_most(const mpu_links *l, double times, mpu_profile_class *out)
{
    for (size_t i = 0; i < (size_t)l->wide * l->high * WAYS; i++) {
        uint32_t node = (uint32_t)(i / WAYS);
        bool off = leaves_cube(l, node % l->wide, node / l->wide, (int)(i % WAYS));
        if (l->bytes[i] * times <= out->link_bytes[off])
            continue;
        out->link_bytes[off] = l->bytes[i] * times;
        out->link_messages[off] = l->messages[i] * times;
    }
}
