/* SPDX-License-Identifier: MIT */
/* One pass over the page visits: walks one after the other through path cache and lines of the page
 * table, for the closed form. */
#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/model.h"
#include "mech/shared/rules.h"

#include "memsweep/sim/walkcache.h"
#include "memsweep/sim/walker.h"

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
