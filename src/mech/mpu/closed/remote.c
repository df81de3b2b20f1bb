/* SPDX-License-Identifier: MIT */
/* Open rows of banks and messages between cores, without time. */
#include "mech/mpu/closed/profile.h"
#include "memsweep/base/bits.h"

#include <math.h>
#include <string.h>

/* Open rows of banks, in the order of accesses, without time. */

#define BANKS_MOST ((uint64_t)1 << 18)

int mpu_rows_init(mpu_rows *rows, const mpu_map *map, msw_arena *arena, msw_err *err)
{
    uint64_t banks = (uint64_t)mpu_bank_count(map->config);
    rows->config = map->config;
    rows->row_bits = map->row_bits;
    rows->banks = banks < BANKS_MOST ? banks : BANKS_MOST;
    rows->open =
        msw_arena_zero(arena, rows->banks * (uint64_t)map->config->row_buffers, sizeof *rows->open);
    rows->last = msw_arena_zero(arena, rows->banks, sizeof *rows->last);
    return rows->open && rows->last ? 0 : msw_fail_memory(err);
}

/* Rows are opened in buffers: in which of its bank's. */
static void see_opening(mpu_rows *rows, uint64_t bank, uint32_t buffer)
{
    rows->opened++;
    rows->moved += rows->last[bank] != buffer;
    rows->last[bank] = (uint8_t)buffer;
}

double mpu_rows_buffers(const mpu_rows *rows)
{
    double most = (double)rows->config->row_buffers;
    if (rows->config->row_placement == MPU_ROWS_LRU || rows->opened <= rows->moved)
        return most;
    return fmin(rows->opened / (rows->opened - rows->moved), most);
}

static uint32_t find_row(const uint32_t *open, uint32_t buffers, uint32_t row)
{
    uint32_t at = 0;
    while (at < buffers && open[at] != row + 1)
        at++;
    return at;
}

/* Any row in any buffer: the first is the one used last. */
static uint32_t use_lru(uint32_t *open, uint32_t buffers, uint32_t row)
{
    uint32_t at = find_row(open, buffers, row), last = at < buffers ? at : buffers - 1;
    uint32_t before = at < buffers ? row + 1 : open[last];
    memmove(open + 1, open, last * sizeof *open);
    open[0] = row + 1;
    return before;
}

bool mpu_rows_use(mpu_rows *rows, const mpu_location *at, double *totals)
{
    const mpu_config *c = rows->config;
    uint32_t buffers = (uint32_t)c->row_buffers, before;
    uint64_t bank = ((uint64_t)at->core * (uint64_t)c->subcores + at->unit) * (uint64_t)c->banks;
    bank = (bank + at->bank) % rows->banks;
    uint32_t *open = rows->open + bank * buffers;
    if (c->row_placement == MPU_ROWS_LRU) {
        before = use_lru(open, buffers, at->row);
    } else {
        uint32_t buffer = mpu_row_buffer(c, at->row, rows->row_bits);
        before = open[buffer];
        open[buffer] = at->row + 1;
        if (before != at->row + 1)
            see_opening(rows, bank, buffer);
    }
    totals[before == at->row + 1 ? MPU_ROW_HITS : before ? MPU_ROW_CONFLICTS : MPU_ROW_CLOSED]++;
    return before == at->row + 1;
}

int mpu_hot_init(mpu_hot *hot, const mpu_config *config, msw_arena *arena)
{
    size_t count = (size_t)mpu_core_count(config) * (size_t)config->subcores;
    *hot =
        (mpu_hot){.cores = (uint32_t)mpu_core_count(config), .units = (uint32_t)config->subcores};
    hot->others = msw_arena_zero(arena, count, sizeof *hot->others);
    hot->all = msw_arena_zero(arena, count, sizeof *hot->all);
    hot->now = msw_arena_zero(arena, hot->cores, sizeof *hot->now);
    return hot->others && hot->all && hot->now ? 0 : -1;
}

typedef struct news {
    bool message, line, writes, miss;
} news;

static void count_block(mpu_requests *to, news what)
{
    to->messages += what.message;
    to->lines[what.writes] += what.line;
    to->blocks[what.writes]++;
    to->misses += what.miss;
}

void mpu_hot_add(mpu_hot *hot, const mpu_access *access, uint32_t home, bool writes, bool waits,
                 uint64_t misses)
{
    const mpu_location *before = NULL;
    uint64_t last = 0;
    for (uint32_t b = 0; b < access->count; b++) {
        const mpu_location *at = &access->blocks[b].at;
        uint64_t line = access->blocks[b].address / MPU_LINE_BYTES;
        size_t unit = (size_t)at->core * hot->units + at->unit;
        news what = {.message = !before || before->core != at->core,
                     .line = !before || line != last || before->unit != at->unit,
                     .writes = writes,
                     .miss = misses >> b & 1};
        count_block(&hot->all[unit], what);
        if (at->core != home) {
            count_block(&hot->others[unit], what);
            hot->now[at->core] += what.message && waits;
        }
        before = at;
        last = line;
    }
}

static void add_requests(mpu_requests *to, const mpu_requests *from, double times)
{
    to->messages += times * from->messages;
    to->misses += times * from->misses;
    for (int w = 0; w < 2; w++) {
        to->lines[w] += times * from->lines[w];
        to->blocks[w] += times * from->blocks[w];
    }
}

/* A measure of which unit has most: a write is taken as four reads, as the bus turns round, a
 * row that is opened as another four. */
static double weight_of(const mpu_requests *unit)
{
    return unit->lines[0] + 4 * unit->lines[1] + 4 * unit->misses;
}

/* Work of the mean unit for its own core. */
static mpu_requests mean_own(const mpu_hot *hot)
{
    mpu_requests mean = {0};
    size_t count = (size_t)hot->cores * hot->units;
    for (size_t u = 0; u < count; u++) {
        add_requests(&mean, &hot->all[u], 1 / (double)count);
        add_requests(&mean, &hot->others[u], -1 / (double)count);
    }
    return mean;
}

/* Waves follow each other, so the times of the busiest unit of each wave add up, whichever unit it
 * is. Where CTAs of some cores alone are run, what is counted for others stands for all, but what
 * a unit does for its own core is taken to be the mean. */
static void end_unit(mpu_hot *hot)
{
    mpu_requests best = {0}, own = hot->some ? mean_own(hot) : best;
    double most = 0;
    for (size_t u = 0; u < (size_t)hot->cores * hot->units; u++) {
        mpu_requests all = hot->some ? hot->others[u] : hot->all[u];
        add_requests(&all, &own, 1);
        double load = hot->others[u].messages > 0 ? weight_of(&all) : 0;
        best = load > most ? all : best;
        most = load > most ? load : most;
    }
    add_requests(&hot->unit, &best, 1);
}

/* `met` over `met_of`: the load of the core that a message meets on average, over the load of the
 * busiest core. A core is met as often as it is loaded, hence the squares. */
static void end_core(mpu_hot *hot)
{
    mpu_requests best = {0};
    double most = 0, all = 0, squares = 0;
    for (uint32_t core = 0; core < hot->cores; core++) {
        mpu_requests sum = {0};
        for (uint32_t u = 0; u < hot->units; u++)
            add_requests(&sum, &hot->others[(size_t)core * hot->units + u], 1);
        double load = sum.messages + sum.blocks[0] + sum.blocks[1];
        all += load;
        squares += load * load;
        best = load > most ? sum : best;
        most = load > most ? load : most;
    }
    hot->met += most > 0 ? squares / most : 0;
    hot->met_of += all;
    add_requests(&hot->core, &best, 1);
}

void mpu_hot_end_turn(mpu_hot *hot)
{
    for (uint32_t core = 0; core < hot->cores; core++)
        hot->peak = hot->now[core] > hot->peak ? hot->now[core] : hot->peak;
    memset(hot->now, 0, hot->cores * sizeof *hot->now);
}

void mpu_hot_end_wave(mpu_hot *hot)
{
    size_t bytes = (size_t)hot->cores * hot->units * sizeof *hot->all;
    end_unit(hot);
    end_core(hot);
    memset(hot->others, 0, bytes);
    memset(hot->all, 0, bytes);
}

void mpu_hot_tell(const mpu_hot *hot, double times, mpu_profile_class *out)
{
    out->traffic.hot_core = out->traffic.hot_unit = (mpu_requests){0};
    out->traffic.peak_core = hot->peak;
    out->traffic.met_core = hot->met_of > 0 ? hot->met / hot->met_of : 1;
    add_requests(&out->traffic.hot_core, &hot->core, times);
    add_requests(&out->traffic.hot_unit, &hot->unit, times);
}

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

static void cross_link(mpu_links *l, position at, int way, double bytes, bool waits)
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
        cross_link(l, at, end.x > at.x ? EAST : WEST, bytes, waits);
        at.x += end.x > at.x ? 1 : UINT32_MAX;
    }
    for (; at.y != end.y; crossed++) {
        cross_link(l, at, end.y > at.y ? SOUTH : NORTH, bytes, waits);
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
static double mean_met(const mpu_links *l)
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
    out->traffic.met_link = mean_met(l);
    for (size_t i = 0; i < (size_t)l->wide * l->high * WAYS; i++) {
        bool off = is_off(l, i);
        out->traffic.peak_link[off] = l->peak[off];
        if (l->bytes[i] * times <= out->traffic.link_bytes[off])
            continue;
        out->traffic.link_bytes[off] = l->bytes[i] * times;
        out->traffic.link_messages[off] = l->messages[i] * times;
    }
}
