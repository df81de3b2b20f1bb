/* SPDX-License-Identifier: MIT */
/* Passes over the page visits, for the closed form: rows and channels of page-table accesses;
 * walks one after the other through path cache and lines of the page table; several walks at
 * once.
 *
 * Walks at once, for the closed form: what becomes of accesses and reads when several walks of
 * the pages that a filter does not hold are always under way. The pool of walkers, their paths
 * and the lines of the table are those of the machine; a read takes one time, whoever asks. */
#include "mech/htmmu/closed/profile.h"

#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"
#include "mech/shared/rules.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/walkcache.h"
#include "memsweep/sim/walker.h"

#include <math.h>

/* The entries that a first TLB of wider entries than the second's took last, where walks fill them
 * whole: it is used for the pages other than those that were walked. */
typedef struct htmmu_wide {
    uint64_t blocks[16];
    unsigned shift, next; /* shift: 0: not wider */
} htmmu_wide;

static inline htmmu_wide htmmu_wide_of(const htmmu_config *config)
{
    bool wider =
        config->coalesce_fill == HTMMU_FILL_BLOCK && config->l1_coalesce > config->l2_coalesce;
    return (htmmu_wide){.shift = wider ? msw_bits_log2((uint64_t)config->l1_coalesce) : 0};
}

/* Returns whether the second TLB is not asked for a page, or notes that it is. */
static inline bool htmmu_beside(htmmu_wide *wide, uint64_t page)
{
    uint64_t block = (page >> (6 + wide->shift) << 6 | (page & 63)) + 1;
    for (unsigned i = 0; wide->shift && i < 16; i++)
        if (wide->blocks[i] == block)
            return true;
    wide->blocks[wide->next++ % 16] = block;
    return false;
}

enum { PAGES = 512, ENTRIES = 32, CHANNELS = HTMMU_CHANNELS, BANKS = 16, ROWS = 4096 };
enum { BUSY = 5 }; /* log2 of the accesses under way in a channel whose work counts */

/* A row and the number of its latest access in its channel. */
typedef struct last_use {
    uint64_t row, number; /* row + 1 */
} last_use;

typedef struct row_reader {
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
} row_reader;

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
static unsigned hits_from(row_reader *r, const msw_dram_location *at)
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

static void read_entry(row_reader *r, uint64_t address)
{
    msw_dram_location at = msw_dram_locate(&r->map, address);
    unsigned from = hits_from(r, &at);
    for (unsigned load = from; load < HTMMU_LOADS; load++)
        r->hits[load]++;
    r->opened[at.channel] += from > BUSY;
}

static void count_page_rows(row_reader *r, msw_page page)
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
static double work_of(const row_reader *r, int channel)
{
    return fmax((double)r->count[channel], r->opened[channel] * r->opening);
}

static void sum_up(const row_reader *r, htmmu_rows *rows)
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

static int open_row_reader(row_reader *r, const htmmu_config *c, msw_err *err)
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

static int read_all(row_reader *r, const msw_task *task, htmmu_rows *rows, msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    if (open_row_reader(r, task->config, err))
        return -1;
    for (uint64_t visit = 0; visit < stream->visit_count; visit++)
        if (!holds(r->pages, PAGES, stream->visits[visit].page))
            count_page_rows(r, htmmu_page_of(stream->visits[visit].page));
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
    row_reader *r = msw_arena_zero(&scratch, 1, sizeof *r);
    int status = r ? read_all(r, task, rows, err) : msw_fail_memory(err);
    msw_arena_free(&scratch);
    return status;
}

enum { READ = 64 }; /* time of a read: look-ups take none */

typedef struct pool {
    msw_walker walkers;
    msw_walkread reading;
    uint64_t now, taken; /* taken: by all walks that have ended */
    uint32_t under_way, most;
    uint64_t *started; /* by entry */
    htmmu_wide wide;
} pool;

/* Lets time pass until the next event. */
static void pass_event(pool *p)
{
    msw_walkread_read read;
    msw_walk_end end;
    p->now = msw_min_u64(msw_walkread_next(&p->reading), msw_walker_next(&p->walkers));
    while (msw_walkread_take(&p->reading, &p->walkers, p->now, &read))
        msw_walkread_answer(&p->reading, &p->walkers, read.walk, p->now + READ);
    while (msw_walker_retire(&p->walkers, p->now, &end)) {
        p->taken += end.time - p->started[end.entry];
        p->under_way--;
    }
}

/* A page whose walk is under way waits for it. */
static void count_page_together(pool *p, msw_page page)
{
    msw_walk_request request = {.page = page, .count = 1};
    msw_walk walk;
    while (p->under_way >= p->most)
        pass_event(p);
    request.time = p->now;
    if (msw_walker_request(&p->walkers, &request, &walk) != MSW_WALK_STARTED)
        return;
    p->under_way++;
    p->started[walk.entry] = p->now;
    msw_walkread_begin(&p->reading, &p->walkers, &walk);
}

/* The machine's, without what it waits for other than reads. */
static int open_pool(pool *p, const htmmu_config *c, uint32_t most, msw_arena *scratch,
                     msw_err *err)
{
    msw_walker_config walkers = htmmu_walker_config(c);
    msw_walkread_config reading = htmmu_read_config(c);
    walkers.timed_by_owner = true;
    walkers.lookup_cycles = 0;
    walkers.slots = MSW_MSHR_UNLIMITED;
    reading.line_cycles = reading.there = 0;
    *p = (pool){.most = most, .wide = htmmu_wide_of(c)};
    void *memory = msw_arena_take(scratch, msw_walker_bytes(&walkers));
    void *lines = msw_arena_take(scratch, msw_walkread_bytes(&reading));
    p->started = msw_arena_zero(scratch, walkers.walkers, sizeof *p->started);
    if (!memory || !lines || !p->started)
        return msw_fail_memory(err);
    if (msw_walker_init(&p->walkers, &walkers, memory, err))
        return -1;
    return msw_walkread_init(&p->reading, &reading, lines, err);
}

static void keep(const pool *p, htmmu_together *result)
{
    double walks = (double)p->walkers.stats.walks;
    result->accesses = (double)p->walkers.stats.accesses / walks;
    result->reads = (double)p->reading.stats.reads / walks;
    result->taken = (double)p->taken / READ / walks;
}

static int walk_together(const htmmu_stream *stream, const uint8_t *filters, int filter, pool *p)
{
    htmmu_wide wide = p->wide;
    uint64_t walks = 0;
    for (uint64_t visit = 0; visit < stream->visit_count && walks < HTMMU_COMPARED; visit++)
        if (filters[visit] > filter && !htmmu_beside(&wide, stream->visits[visit].page)) {
            count_page_together(p, htmmu_page_of(stream->visits[visit].page));
            walks++;
        }
    while (p->under_way)
        pass_event(p);
    return walks > 0;
}

/* Makes the first walks of the pages that a filter does not hold for each number at once. Returns
 * 0, or -1. */
static int htmmu_walk_together(const msw_task *task, int filter, htmmu_together *result,
                               msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    const htmmu_profile *profile = task->artifacts[HTMMU_ARTIFACT_PROFILE];
    const htmmu_config *c = task->config;
    msw_arena scratch = {0};
    int rc = 0;
    for (int step = 0; rc == 0 && step < HTMMU_AT_ONCE; step++) {
        uint64_t most = (uint64_t)1 << 2 * step, before = most / 4;
        msw_arena_mark mark = msw_arena_now(&scratch);
        pool p;
        if (step && before >= (uint64_t)c->merge_entries) {
            result[step] = result[step - 1];
            continue;
        }
        rc = open_pool(&p, c, (uint32_t)msw_min_u64(most, (uint64_t)c->merge_entries), &scratch,
                       err);
        if (rc == 0 && walk_together(stream, profile->filters, filter, &p))
            keep(&p, &result[step]);
        msw_arena_release(&scratch, mark);
    }
    msw_arena_free(&scratch);
    return rc;
}

/* What the walks of one filter's pages meet. */
typedef struct reader {
    msw_walkcache paths;
    msw_assoc lines;
    uint32_t walks;
    htmmu_wide wide;
    htmmu_reads *result;
} reader;

typedef struct follower {
    const htmmu_config *config;
    msw_pagetable table;
    reader readers[HTMMU_FILTERS];
} follower;

/* ---- lines ---- */

static void look_for_line(reader *r, uint64_t entry)
{
    uint64_t line = entry / HTMMU_LINE_BYTES, evicted;
    uint32_t set = msw_assoc_set(&r->lines, line), at = msw_assoc_find(&r->lines, set, line);
    if (at != MSW_ASSOC_NONE) {
        msw_assoc_touch(&r->lines, set, at);
        return;
    }
    r->result->reads++;
    msw_assoc_insert(&r->lines, set, line, MSW_WAYS_ALL, &evicted);
}

/* ---- walks ---- */

/* Which walker takes the next walk, where all are free. */
static uint32_t walker_of(const follower *f, const reader *r, uint64_t path)
{
    uint32_t walkers = (uint32_t)f->config->merge_entries, best = 0;
    if (f->config->path_cache != HTMMU_PATH_REGISTER ||
        f->config->walker_choice == MSW_WALKER_WARMEST)
        return 0;
    if (f->config->walker_choice == MSW_WALKER_LONGEST_IDLE)
        return r->walks % walkers;
    for (uint32_t walker = 1; walker < walkers; walker++)
        if ((r->paths.registers[walker] ^ path) < (r->paths.registers[best] ^ path))
            best = walker;
    return best;
}

static unsigned skipped_of(const follower *f, reader *r, msw_page page, unsigned leaf)
{
    uint64_t path = msw_pagetable_path(&f->table, page.address, leaf);
    if (r->paths.kind == MSW_WALKCACHE_LEVELS) {
        unsigned skipped = msw_walkcache_match_levels(&r->paths, &f->table, page.address, leaf);
        msw_walkcache_learn_levels(&r->paths, &f->table, page.address, leaf);
        return skipped;
    }
    uint32_t walker = walker_of(f, r, path);
    unsigned skipped =
        msw_walkcache_match(&r->paths, &f->table, walker, path, f->table.levels - leaf);
    msw_walkcache_learn(&r->paths, walker, path);
    return skipped;
}

/* A unified cache is asked for all entries of a walk before it takes them. */
static void enter_all(reader *r, const uint64_t *entries, unsigned steps)
{
    for (unsigned step = 0; step < steps; step++)
        msw_walkcache_enter(&r->paths, entries[step], step, steps);
}

static void walk_page(const follower *f, reader *r, msw_page page)
{
    unsigned leaf = msw_pagetable_leaf(&f->table, page.shift), steps = f->table.levels - leaf + 1;
    uint64_t entries[MSW_PAGETABLE_LEVELS];
    r->walks++;
    r->result->walks++;
    for (unsigned step = 0; step < steps; step++)
        entries[step] = msw_pagetable_entry(&f->table, page.address, f->table.levels - step);
    for (unsigned step = skipped_of(f, r, page, leaf); step < steps; step++) {
        if (msw_walkcache_holds(&r->paths, entries[step], step, steps))
            continue;
        r->result->accesses++;
        if (f->config->table_lines)
            look_for_line(r, entries[step]);
        else
            r->result->reads++;
    }
    enter_all(r, entries, steps);
}

/* ---- the pass ---- */

/* A shared cache keeps whole paths; one for each level, as large, knows as much of the last level
 * and hardly more of those above, which have few paths. */
static msw_walkcache_config paths_of(const htmmu_config *c)
{
    static const msw_walkcache_kind KINDS[] = {MSW_WALKCACHE_NONE, MSW_WALKCACHE_REGISTER,
                                               MSW_WALKCACHE_LEVELS, MSW_WALKCACHE_TABLE};
    msw_walkcache_config config = {.kind = KINDS[c->path_cache],
                                   .entries = (uint32_t)c->tpc_entries,
                                   .ways = (uint32_t)msw_ways_of(c->tpc_entries, c->tpc_ways),
                                   .policy = MSW_POLICY_LRU,
                                   .levels = MSW_PAGETABLE_LEVELS,
                                   .leaves = true};
    for (unsigned level = 0; level <= MSW_PAGETABLE_LEVELS; level++)
        config.level_entries[level] = (uint32_t)c->tpc_entries;
    return config;
}

static int open_lines(reader *r, const htmmu_config *c, msw_arena *scratch, msw_err *err)
{
    uint32_t ways = (uint32_t)msw_ways_of(c->table_lines, c->table_line_ways);
    if (c->table_lines == 0)
        return 0;
    msw_assoc_config lines = {
        .sets = (uint32_t)c->table_lines / ways, .ways = ways, .policy = MSW_POLICY_LRU};
    void *memory = msw_arena_take(scratch, msw_assoc_bytes(&lines));
    if (!memory)
        return msw_fail_memory(err);
    return msw_assoc_init(&r->lines, &lines, memory, err);
}

static int open_reader(reader *r, const htmmu_config *c, htmmu_reads *result, msw_arena *scratch,
                       msw_err *err)
{
    msw_walkcache_config paths = paths_of(c);
    uint32_t walkers = (uint32_t)c->merge_entries;
    void *memory = msw_arena_take(scratch, msw_walkcache_bytes(&paths, walkers) + 1);
    *r = (reader){.result = result, .wide = htmmu_wide_of(c)};
    if (!memory)
        return msw_fail_memory(err);
    if (msw_walkcache_init(&r->paths, &paths, walkers, memory, err))
        return -1;
    return open_lines(r, c, scratch, err);
}

static int open_follower(follower *f, htmmu_table *result, msw_arena *scratch, msw_err *err)
{
    msw_pagetable_config shape = msw_pagetable_x86();
    shape.address_bits = f->config->table_levels == 5 ? 57 : 48;
    for (int filter = 0; filter < HTMMU_FILTERS; filter++)
        if (open_reader(&f->readers[filter], f->config, &result->filters[filter], scratch, err))
            return -1;
    return msw_pagetable_init(&f->table, &shape, err);
}

static int follow(const msw_task *task, htmmu_table *result, msw_arena *scratch, msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    const htmmu_profile *profile = task->artifacts[HTMMU_ARTIFACT_PROFILE];
    follower *f = msw_arena_zero(scratch, 1, sizeof *f);
    if (!f)
        return msw_fail_memory(err);
    f->config = task->config;
    if (open_follower(f, result, scratch, err))
        return -1;
    for (uint64_t visit = 0; visit < stream->visit_count; visit++)
        for (int filter = 0; filter < profile->filters[visit]; filter++)
            if (!htmmu_beside(&f->readers[filter].wide, stream->visits[visit].page))
                walk_page(f, &f->readers[filter], htmmu_page_of(stream->visits[visit].page));
    return 0;
}

int htmmu_build_table(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const htmmu_config *c = task->config;
    htmmu_table *result = msw_arena_zero(arena, 1, sizeof *result);
    msw_arena scratch = {0};
    *root = result;
    if (!result)
        return msw_fail_memory(err);
    if (c->table_lines == 0 && c->path_cache != HTMMU_PATH_REGISTER &&
        c->path_cache != HTMMU_PATH_UNIFIED)
        return 0;
    int status = follow(task, result, &scratch, err);
    for (int filter = 0; status == 0 && filter < HTMMU_FILTERS; filter++)
        if (result->filters[filter].walks > 0)
            status = htmmu_walk_together(task, filter, result->filters[filter].at_once, err);
    msw_arena_free(&scratch);
    return status;
}
