/* SPDX-License-Identifier: MIT */
/* Who is asked most. */
#include "mech/mpu/closed/hot.h"

#include <string.h>

int mpu_hot_init(mpu_hot *hot, const mpu_config *config, msw_arena *arena)
{
    size_t count = (size_t)mpu_core_count(config) * (size_t)config->subcores;
    *hot =
        (mpu_hot){.cores = (uint32_t)mpu_core_count(config), .units = (uint32_t)config->subcores};
    hot->asked = msw_arena_zero(arena, count, sizeof *hot->asked);
    hot->all = msw_arena_zero(arena, count, sizeof *hot->all);
    hot->now = msw_arena_zero(arena, hot->cores, sizeof *hot->now);
    return hot->asked && hot->all && hot->now ? 0 : -1;
}

typedef struct news {
    bool message, line, writes, miss;
} news;

static void count(mpu_asked *to, news what)
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
        count(&hot->all[unit], what);
        if (at->core != home) {
            count(&hot->asked[unit], what);
            hot->now[at->core] += what.message && waits;
        }
        before = at;
        last = line;
    }
}

static void add(mpu_asked *to, const mpu_asked *from, double times)
{
    to->messages += times * from->messages;
    to->misses += times * from->misses;
    for (int w = 0; w < 2; w++) {
        to->lines[w] += times * from->lines[w];
        to->blocks[w] += times * from->blocks[w];
    }
}

/* What counts here is only who has most: a write is taken as four reads, as the bus turns round, a
 * row that is opened as another four. */
static double weight(const mpu_asked *unit)
{
    return unit->lines[0] + 4 * unit->lines[1] + 4 * unit->misses;
}

/* Waves follow each other, so the times of the busiest unit of each wave add up, whichever unit it
 * is. */
static void end_unit(mpu_hot *hot)
{
    size_t best = 0;
    double most = 0;
    for (size_t u = 0; u < (size_t)hot->cores * hot->units; u++) {
        double load = hot->asked[u].messages > 0 ? weight(&hot->all[u]) : 0;
        best = load > most ? u : best;
        most = load > most ? load : most;
    }
    if (most > 0)
        add(&hot->unit, &hot->all[best], 1);
}

/* `met` over `met_of`: the load of the core that a message meets on average, over the load of the
 * busiest core. A core is met as often as it is loaded, hence the squares. */
static void end_core(mpu_hot *hot)
{
    mpu_asked best = {0};
    double most = 0, all = 0, squares = 0;
    for (uint32_t core = 0; core < hot->cores; core++) {
        mpu_asked sum = {0};
        for (uint32_t u = 0; u < hot->units; u++)
            add(&sum, &hot->asked[(size_t)core * hot->units + u], 1);
        double load = sum.messages + sum.blocks[0] + sum.blocks[1];
        all += load;
        squares += load * load;
        best = load > most ? sum : best;
        most = load > most ? load : most;
    }
    hot->met += most > 0 ? squares / most : 0;
    hot->met_of += all;
    add(&hot->core, &best, 1);
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
    memset(hot->asked, 0, bytes);
    memset(hot->all, 0, bytes);
}

void mpu_hot_tell(const mpu_hot *hot, double times, mpu_profile_class *out)
{
    out->hot_core = out->hot_unit = (mpu_asked){0};
    out->peak_core = hot->peak;
    out->met_core = hot->met_of > 0 ? hot->met / hot->met_of : 1;
    add(&out->hot_core, &hot->core, times);
    add(&out->hot_unit, &hot->unit, times);
}
