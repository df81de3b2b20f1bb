/* SPDX-License-Identifier: MIT */
/* The mesh of all cores without time. */
#include "mech/mpu/closed/links.h"
#include "memsweep/base/bits.h"

#include <string.h>

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
    l->now = msw_arena_zero(arena, count, sizeof *l->now);
    return l->bytes && l->messages && l->now ? 0 : -1;
}

static position position_of(const mpu_links *l, const mpu_config *c, uint32_t core)
{
    uint32_t cores = (uint32_t)c->cores, across = (uint32_t)c->processor_columns;
    uint32_t cube = core / cores, own = core % cores;
    return (position){cube % across * l->tile_wide + own % l->tile_wide,
                      cube / across * l->tile_high + own / l->tile_wide};
}

static void cross(mpu_links *l, position at, int way, double bytes, bool waits)
{
    size_t link = ((size_t)at.y * l->wide + at.x) * WAYS + (size_t)way;
    l->bytes[link] += bytes;
    l->messages[link]++;
    l->now[link] += waits;
}

uint32_t mpu_links_add(mpu_links *l, const mpu_config *c, uint32_t from, uint32_t to, double bytes,
                       bool waits)
{
    position at = position_of(l, c, from), end = position_of(l, c, to);
    uint32_t crossed = 0;
    for (; at.x != end.x; crossed++) {
        cross(l, at, end.x > at.x ? EAST : WEST, bytes, waits);
        at.x += end.x > at.x ? 1 : UINT32_MAX;
    }
    for (; at.y != end.y; crossed++) {
        cross(l, at, end.y > at.y ? SOUTH : NORTH, bytes, waits);
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

/* Whether a link leaves a cube. */
static bool is_off(const mpu_links *l, size_t link)
{
    uint32_t node = (uint32_t)(link / WAYS);
    return leaves_cube(l, node % l->wide, node / l->wide, (int)(link % WAYS));
}

void mpu_links_end_turn(mpu_links *l)
{
    size_t count = (size_t)l->wide * l->high * WAYS;
    for (size_t i = 0; i < count; i++)
        if (l->now[i] > l->peak[0] || l->now[i] > l->peak[1]) {
            bool off = is_off(l, i);
            l->peak[off] = msw_max_u32(l->peak[off], l->now[i]);
        }
    memset(l->now, 0, count * sizeof *l->now);
}

/* A message is more often where there are many. */
static double met(const mpu_links *l)
{
    double sum = 0, squares = 0, most = 0;
    for (size_t i = 0; i < (size_t)l->wide * l->high * WAYS; i++) {
        sum += l->bytes[i];
        squares += l->bytes[i] * l->bytes[i];
        most = l->bytes[i] > most ? l->bytes[i] : most;
    }
    return most > 0 ? squares / sum / most : 1;
}

void mpu_links_most(const mpu_links *l, double times, mpu_profile_class *out)
{
    out->met_link = met(l);
    for (size_t i = 0; i < (size_t)l->wide * l->high * WAYS; i++) {
        bool off = is_off(l, i);
        out->peak_link[off] = l->peak[off];
        if (l->bytes[i] * times <= out->link_bytes[off])
            continue;
        out->link_bytes[off] = l->bytes[i] * times;
        out->link_messages[off] = l->messages[i] * times;
    }
}
