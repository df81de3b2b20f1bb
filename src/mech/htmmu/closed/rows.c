/* SPDX-License-Identifier: MIT */
/* One pass over the page visits: rows and channels of page-table accesses, for the closed form. */
#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"

#include <math.h>

enum { PAGES = 512, ENTRIES = 32, CHANNELS = HTMMU_CHANNELS, BANKS = 16, ROWS = 4096 };
enum { BUSY = 5 }; /* log2 of the accesses under way in a channel whose work counts */

/* A row and the number of its latest access in its channel. */
typedef struct last_use {
    uint64_t row, number; /* row + 1 */
} last_use;

typedef struct reader {
    msw_pagetable table;
    msw_dram_map map;
    uint64_t pages[PAGES];                         /* + 1: what the TLBs hold, 0: nothing */
    uint64_t upper[MSW_PAGETABLE_LEVELS][ENTRIES]; /* entries above the leaf that are known */
    uint32_t row[CHANNELS][BANKS];                 /* + 1: open, 0: none */
    last_use last[ROWS];
    uint64_t count[CHANNELS];
    double opened[CHANNELS], hits[HTMMU_LOADS];
    double opening; /* bursts that the bus could carry in the time a row takes to open */
    bool paths;
} reader;

/* Puts a key in its slot. Returns whether it was there. */
static bool holds(uint64_t *slots, uint64_t count, uint64_t key)
{
    uint64_t *slot = &slots[(key * 0x9E3779B97F4A7C15u >> 32) % count];
    bool held = *slot == key + 1;
    *slot = key + 1;
    return held;
}

/* Where 2^load accesses wait those for one row are served together: an access hits when its row is
 * open, or was used so few accesses before that it waited then. Returns the smallest load at which
 * one like this hits, HTMMU_LOADS: none. */
static unsigned hits_from(reader *r, const msw_dram_location *at)
{
    uint64_t number = r->count[at->channel]++;
    uint64_t key = ((uint64_t)at->row * CHANNELS + at->channel) * BANKS + at->bank + 1;
    last_use *last = &r->last[(key * 0x9E3779B97F4A7C15u >> 32) % ROWS];
    uint32_t *open = &r->row[at->channel][at->bank];
    unsigned load = 0;
    if (*open != at->row + 1)
        for (load = 1; load < HTMMU_LOADS; load++)
            if (last->row == key && number - last->number < (uint64_t)1 << load)
                break;
    *open = at->row + 1;
    *last = (last_use){key, number};
    return load;
}

static void read_entry(reader *r, uint64_t address)
{
    msw_dram_location at = msw_dram_locate(&r->map, address);
    unsigned from = hits_from(r, &at);
    for (unsigned load = from; load < HTMMU_LOADS; load++)
        r->hits[load]++;
    r->opened[at.channel] += from > BUSY;
}

static void walk_page(reader *r, msw_page page)
{
    unsigned leaf = msw_pagetable_leaf(&r->table, page.shift);
    for (unsigned level = r->table.levels; level >= leaf; level--) {
        uint64_t entry = msw_pagetable_entry(&r->table, page.address, level);
        if (level > leaf && r->paths && holds(r->upper[level - 1], ENTRIES, entry))
            continue;
        read_entry(r, entry);
    }
}

/* A channel opens rows while its bus carries data: it takes as long as the longer of the two. */
static double work_of(const reader *r, int channel)
{
    return fmax((double)r->count[channel], r->opened[channel] * r->opening);
}

static void sum_up(const reader *r, htmmu_rows *rows)
{
    double sum = 0, squares = 0, count = 0;
    for (int channel = 0; channel < CHANNELS; channel++) {
        double work = work_of(r, channel);
        count += (double)r->count[channel];
        sum += work;
        squares += work * work;
    }
    for (int load = 0; load < HTMMU_LOADS; load++)
        rows->hit_rate[load] = r->hits[load] / count;
    rows->channels = sum * sum / squares;
    for (int channel = 0; channel < CHANNELS; channel++)
        rows->share[channel] = work_of(r, channel) / sum;
}

static int open_reader(reader *r, const htmmu_config *c, msw_err *err)
{
    msw_dram_config dram;
    msw_pagetable_config shape = msw_pagetable_x86();
    shape.address_bits = c->table_levels == 5 ? 57 : 48;
    r->paths = c->path_cache != HTMMU_PATH_NONE;
    if (htmmu_memory_config(c, &dram, err) || msw_dram_map_init(&r->map, &dram, err))
        return -1;
    r->opening = fmax(1, dram.t.faw / (4.0 * dram.t.bl));
    return msw_pagetable_init(&r->table, &shape, err);
}

static int read_all(reader *r, const msw_task *task, htmmu_rows *rows, msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    if (open_reader(r, task->config, err))
        return -1;
    for (uint64_t visit = 0; visit < stream->visit_count; visit++)
        if (!holds(r->pages, PAGES, stream->visits[visit].page))
            walk_page(r, htmmu_page_of(stream->visits[visit].page));
    sum_up(r, rows);
    return 0;
}

int htmmu_build_rows(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    const htmmu_config *config = task->config;
    htmmu_rows *rows = msw_arena_zero(arena, 1, sizeof *rows);
    msw_arena scratch = {0};
    (void)extra;
    *root = rows;
    if (!rows)
        return msw_fail_memory(err);
    if (config->memory_model == HTMMU_MEMORY_FIXED)
        return 0;
    reader *r = msw_arena_zero(&scratch, 1, sizeof *r);
    int status = r ? read_all(r, task, rows, err) : msw_fail_memory(err);
    msw_arena_free(&scratch);
    return status;
}
