/* One pass over the page runs: stack distances, repeats within a walk, paths.
 *
 * Whether a request repeats a page that is being walked depends on the size of the TLB that did not
 * hold it and on how many requests go while the walk lasts. Both are parameters; the profile counts
 * for all of them at once, by powers of two. */
#include "htmmu_profile.h"

#include "memsweep/pagetable.h"
#include "memsweep/reuse.h"

#include <string.h>

typedef struct page_state {
    uint32_t fresh[HTMMU_SIZES]; /* position of the last fresh request */
    uint32_t ranks[HTMMU_SIZES]; /* repeats since */
} page_state;

/* Numbers for keys as they come: a hash table. */
typedef struct numbering {
    uint64_t *keys;
    uint32_t *numbers; /* + 1 */
    uint64_t mask;
    uint32_t count;
} numbering;

/* Paths by the time of their last walk, for one filter. */
typedef struct path_stack {
    uint32_t *last[HTMMU_UPPER]; /* by number of a prefix: time of its last walk, 0: never */
    uint32_t *tree;              /* by time: 1 where some path was walked last */
    uint32_t now, live, previous;
} path_stack;

typedef struct profiler {
    htmmu_profile *profile;
    htmmu_part *part; /* of the unit */
    uint8_t *parts;
    uint32_t *distances; /* of the runs of a unit */
    const htmmu_stream *stream;
    msw_pagetable table;
    msw_reuse reuse;
    numbering pages, prefixes[HTMMU_UPPER];
    page_state *states;
    path_stack stacks[HTMMU_FILTERS];
    uint64_t position;
    unsigned coalesce; /* log2 of pages in an entry */
} profiler;

/* ---- numbering ---- */

static int open_numbering(numbering *n, uint64_t most, msw_arena *scratch, msw_err *err)
{
    *n = (numbering){.mask = 15};
    while (n->mask < 2 * most)
        n->mask = 2 * n->mask + 1;
    n->keys = msw_arena_take(scratch, (n->mask + 1) * sizeof *n->keys);
    n->numbers = msw_arena_zero(scratch, n->mask + 1, sizeof *n->numbers);
    return n->keys && n->numbers ? 0 : msw_fail_memory(err);
}

static uint32_t number_of(numbering *n, uint64_t key)
{
    uint64_t place = (key * 0x9E3779B97F4A7C15u >> 20) & n->mask;
    while (n->numbers[place] && n->keys[place] != key)
        place = (place + 1) & n->mask;
    if (n->numbers[place] == 0) {
        n->keys[place] = key;
        n->numbers[place] = ++n->count;
    }
    return n->numbers[place] - 1;
}

/* ---- repeats ---- */

static unsigned bits_of(uint64_t n)
{
    unsigned bits = 0;
    while (n >> bits)
        bits++;
    return bits;
}

/* `count` requests follow a fresh one at distances from `since`, the first as its `rank`-th repeat.
 */
static void add_repeats(htmmu_part *p, int size, uint64_t since, uint64_t rank, uint64_t count)
{
    while (count && since >> (HTMMU_SPANS - 1) == 0) {
        unsigned span = bits_of(since), order = bits_of(rank - 1);
        order = order < HTMMU_RANKS ? order : HTMMU_RANKS - 1;
        uint64_t piece = ((uint64_t)1 << span) - since, left = ((uint64_t)1 << order) - rank + 1;
        if (order < HTMMU_RANKS - 1 && left < piece)
            piece = left;
        piece = piece < count ? piece : count;
        p->repeats[size][span][order] += (double)piece;
        since += piece;
        rank += piece;
        count -= piece;
    }
}

static void follow_page(profiler *f, page_state *s, uint32_t distance, uint32_t requests)
{
    for (int size = 0; size < HTMMU_SIZES; size++) {
        uint32_t since = (uint32_t)f->position - s->fresh[size], left = requests;
        if (distance >> (size + HTMMU_SIZE_FIRST)) {
            f->part->fresh[size]++;
            s->fresh[size] = (uint32_t)f->position;
            s->ranks[size] = 0;
            since = 1;
            left--;
        }
        if (left)
            add_repeats(f->part, size, since, (uint64_t)s->ranks[size] + 1, left);
        s->ranks[size] += s->ranks[size] < UINT32_MAX - left ? left : 0;
    }
}

/* ---- paths ---- */

static void mark(path_stack *s, uint32_t most, uint32_t time, uint32_t by)
{
    for (; time <= most; time += time & (0 - time))
        s->tree[time] += by;
}

static uint32_t marked_until(const path_stack *s, uint32_t time)
{
    uint32_t sum = 0;
    for (; time; time -= time & (0 - time))
        sum += s->tree[time];
    return sum;
}

static void walk_path(profiler *f, int filter, const uint32_t *numbers)
{
    path_stack *s = &f->stacks[filter];
    unsigned upper = f->profile->upper, full = upper - 1;
    uint32_t most = (uint32_t)f->stream->run_count, before = s->last[full][numbers[full]];
    for (unsigned level = 0; level < upper; level++) {
        uint32_t time = s->last[level][numbers[level]];
        if (time)
            f->profile->paths[filter][level][htmmu_bin_of(s->live - marked_until(s, time))]++;
    }
    s->now++;
    if (before)
        mark(s, most, before, 0u - 1);
    else
        s->live++;
    mark(s, most, s->now, 1);
    for (unsigned level = 0; level < upper; level++)
        s->last[level][numbers[level]] = s->now;
}

static void follow_path(profiler *f, const htmmu_run *run, uint32_t distance)
{
    msw_page page = htmmu_page_of(run->page);
    uint32_t numbers[HTMMU_UPPER];
    if (distance >> (1 + HTMMU_SIZE_FIRST) == 0)
        return;
    uint64_t path =
        msw_pagetable_path(&f->table, page.address, msw_pagetable_leaf(&f->table, page.shift));
    unsigned bits = f->table.config.level_bits + 1, fields = f->table.levels - 1;
    for (unsigned level = 0; level < f->profile->upper; level++)
        numbers[level] = number_of(&f->prefixes[level], path >> bits * (fields - 1 - level));
    for (int filter = 0; filter < HTMMU_FILTERS; filter++) {
        if (distance >> (3 * filter + 1 + HTMMU_SIZE_FIRST) == 0)
            return;
        f->profile->walked[filter]++;
        walk_path(f, filter, numbers);
    }
}

/* ---- the pass ---- */

static void follow_run(profiler *f, const htmmu_run *run, uint32_t distance)
{
    htmmu_distances *pages = &f->part->pages;
    uint64_t block = htmmu_block(run->page, f->coalesce);
    if (distance == MSW_REUSE_COLD)
        pages->cold++;
    else
        pages->count[htmmu_bin_of(distance)]++;
    pages->total++;
    follow_page(f, &f->states[number_of(&f->pages, block)], distance, run->requests);
    if (f->profile->upper)
        follow_path(f, run, distance);
    f->position += run->requests;
    f->part->requests += run->requests;
}

enum { FRESH = 512, FEW = 64, SOME = 8 }; /* fewer than 1 / FEW of the requests, or 1 / SOME */

static uint8_t part_of(uint64_t fresh, uint64_t requests)
{
    return fresh * FEW < requests ? 0 : fresh * SOME < requests ? 1 : 2;
}

static int follow_unit(profiler *f, uint64_t unit, msw_err *err)
{
    uint64_t first = f->stream->units[unit], end = f->stream->units[unit + 1];
    uint64_t fresh = 0, requests = 0;
    for (uint64_t i = first; i < end; i++) {
        const htmmu_run *run = &f->stream->runs[i];
        uint32_t *distance = &f->distances[i - first];
        if (msw_reuse_next(&f->reuse, htmmu_block(run->page, f->coalesce), distance, err))
            return -1;
        fresh += *distance >= FRESH;
        requests += run->requests;
    }
    f->parts[unit] = part_of(fresh, requests);
    f->part = &f->profile->parts[f->parts[unit]];
    for (uint64_t i = first; i < end; i++)
        follow_run(f, &f->stream->runs[i], f->distances[i - first]);
    return 0;
}

/* Counts below each limit, from counts between limits. */
static void add_up_part(htmmu_part *p)
{
    for (int size = 0; size < HTMMU_SIZES; size++) {
        for (int span = 0; span < HTMMU_SPANS; span++)
            for (int rank = 1; rank < HTMMU_RANKS; rank++)
                p->repeats[size][span][rank] += p->repeats[size][span][rank - 1];
        for (int span = 1; span < HTMMU_SPANS; span++)
            for (int rank = 0; rank < HTMMU_RANKS; rank++)
                p->repeats[size][span][rank] += p->repeats[size][span - 1][rank];
    }
}

static void add_up(htmmu_profile *p)
{
    for (int part = 0; part < HTMMU_PARTS; part++)
        add_up_part(&p->parts[part]);
    for (int filter = 0; filter < HTMMU_FILTERS; filter++)
        for (unsigned level = 0; level < p->upper; level++) {
            double below = 0;
            for (int bin = 0; bin < HTMMU_BINS; bin++) {
                double here = p->paths[filter][level][bin];
                p->paths[filter][level][bin] = below;
                below += here;
            }
        }
}

static int open_paths(profiler *f, uint64_t runs, msw_arena *scratch, msw_err *err)
{
    for (unsigned level = 0; level < f->profile->upper; level++)
        if (open_numbering(&f->prefixes[level], runs, scratch, err))
            return -1;
    for (int filter = 0; filter < HTMMU_FILTERS; filter++) {
        path_stack *s = &f->stacks[filter];
        s->tree = msw_arena_zero(scratch, runs + 1, sizeof *s->tree);
        for (unsigned level = 0; level < f->profile->upper; level++) {
            s->last[level] = msw_arena_zero(scratch, runs + 1, sizeof(uint32_t));
            if (!s->last[level])
                return msw_fail_memory(err);
        }
        if (!s->tree)
            return msw_fail_memory(err);
    }
    return 0;
}

static int open_profiler(profiler *f, const msw_task *task, msw_arena *scratch, msw_err *err)
{
    const htmmu_config *c = task->config;
    msw_pagetable_config table = msw_pagetable_x86();
    uint64_t runs = f->stream->run_count;
    table.address_bits = c->table_levels == 5 ? 57 : 48;
    if (runs >= 1u << 28)
        return msw_fail(err, "%llu runs of requests: at most 2^28 - 1", (unsigned long long)runs);
    if (msw_pagetable_init(&f->table, &table, err))
        return -1;
    unsigned shift = 0;
    while ((int64_t)1 << shift < c->page_size)
        shift++;
    f->profile->upper = msw_pagetable_steps(&f->table, shift) - 1;
    f->states = msw_arena_zero(scratch, runs, sizeof *f->states);
    f->distances = msw_arena_take(scratch, f->stream->unit_requests * sizeof *f->distances);
    void *memory = msw_arena_take(scratch, msw_reuse_bytes((uint32_t)runs));
    if (!f->states || !f->distances || !memory)
        return msw_fail_memory(err);
    if (msw_reuse_init(&f->reuse, (uint32_t)runs, memory, err) ||
        open_numbering(&f->pages, runs, scratch, err))
        return -1;
    return open_paths(f, runs, scratch, err);
}

int htmmu_build_profile(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err)
{
    (void)extra;
    msw_arena scratch = {0};
    profiler f = {.stream = task->artifacts[HTMMU_ARTIFACT_STREAM]};
    f.coalesce =
        htmmu_coalesce_shift(task->config, ((const htmmu_config *)task->config)->l2_coalesce);
    f.profile = msw_arena_zero(arena, 1, sizeof *f.profile);
    f.parts = msw_arena_take(arena, f.stream->unit_count);
    if (!f.profile || !f.parts)
        return msw_fail_memory(err);
    f.profile->part = f.parts;
    int rc = open_profiler(&f, task, &scratch, err);
    for (uint64_t unit = 0; rc == 0 && unit < f.stream->unit_count; unit++)
        rc = follow_unit(&f, unit, err);
    msw_arena_free(&scratch);
    f.profile->requests = (double)f.stream->requests;
    add_up(f.profile);
    *root = f.profile;
    return rc;
}
