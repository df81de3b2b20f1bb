/* SPDX-License-Identifier: MIT */
/* Profiles the page visits in one pass: stack distances, among all and within sets, and paths.
 * Deals the requests out to the banks of the first TLB: all to the bank that their address names,
 * and, with an adaptive router, to the banks in turn. */
#include "mech/htmmu/closed/profile.h"

#include "mech/htmmu/model.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/lru_stack.h"
#include "memsweep/sim/pagetable.h"
#include "memsweep/sim/reuse.h"

/* Log2 of the pages that a walk brings into an entry, which is what a sample's blocks are. */
static inline unsigned htmmu_coalesce_shift(const htmmu_config *config, int64_t coalesce)
{
    return config->coalesce_fill == HTMMU_FILL_BLOCK ? msw_bits_log2((uint64_t)coalesce) : 0;
}

/* The bin of a distance, or of a key never seen before. */
static inline uint8_t htmmu_bin_or_cold(uint32_t distance)
{
    return (uint8_t)(distance == UINT32_MAX ? HTMMU_BINS : htmmu_bin_of(distance));
}

static inline void htmmu_count_distance(htmmu_distances *distances, uint32_t distance)
{
    distances->total++;
    if (distance == UINT32_MAX)
        distances->cold++;
    else
        distances->count[htmmu_bin_of(distance)]++;
}

enum { BANKS = 16 };

typedef struct dealer {
    const htmmu_config *config;
    const uint16_t *requesters;
    msw_reuse reuse[BANKS];
    htmmu_stacks stacks[BANKS];
    htmmu_parts parts[BANKS];
    htmmu_banks *result;
    htmmu_distances *distances, *blocks;
    htmmu_sets *sets;
    int deal;
    uint64_t named[BANKS];
    uint32_t streams, used; /* banks that have taken a request in this cycle */
    uint32_t alone;         /* the same, were all requests to go to the named bank */
    unsigned coalesce;      /* log2 of pages in an entry */
    unsigned numbers;       /* of sets that are followed: HTMMU_SETS for all banks together */
} dealer;

static void dispatch_named(dealer *d, uint32_t bank, uint32_t requests)
{
    uint32_t bit = (uint32_t)1 << bank;
    d->named[bank] += requests;
    if (d->alone & bit || d->alone == 0) {
        d->result->cycles++;
        d->alone = 0;
    }
    d->result->cycles += requests - 1;
    d->alone = requests > 1 ? bit : d->alone | bit;
}

/* The bank of the next request: another one when the named has taken one in this cycle. */
static uint32_t turn(dealer *d, uint32_t named)
{
    const htmmu_config *c = d->config;
    uint32_t all = (uint32_t)(((uint64_t)1 << d->streams) - 1), bank = named;
    if (d->deal == HTMMU_HOME)
        return named;
    if (d->used == all)
        d->used = 0;
    if (d->used >> bank & 1 && c->free_choice == HTMMU_FREE_LOWEST)
        bank = 0;
    while (d->used >> bank & 1)
        bank = bank + 1 < d->streams ? bank + 1 : 0;
    d->used |= (uint32_t)1 << bank;
    return bank;
}

static int use(dealer *d, uint32_t bank, uint64_t page, uint8_t *farthest, msw_err *err)
{
    uint32_t distance;
    uint64_t block = htmmu_block(page, d->coalesce + d->parts[bank].shift);
    if (msw_reuse_next(&d->reuse[bank], block, &distance, err))
        return -1;
    htmmu_count_distance(d->blocks, distance);
    htmmu_stacks_use(&d->stacks[bank], block, d->sets);
    distance = htmmu_parts_use(&d->parts[bank], page, distance);
    htmmu_count_distance(d->distances, distance);
    uint8_t bin = htmmu_bin_or_cold(distance);
    *farthest = bin > *farthest ? bin : *farthest;
    return 0;
}

/* What is left of a visit finds its page used last. */
static void count_rest(dealer *d, double requests)
{
    d->distances->count[0] += requests;
    d->distances->total += requests;
    d->blocks->count[0] += requests;
    d->blocks->total += requests;
    for (unsigned sets = 0; sets < d->numbers; sets++)
        d->sets->count[sets][0] += requests;
}

/* Long visits have met all banks long before their end. */
static int deal(dealer *d, const htmmu_visit *visit, uint8_t *farthest, msw_err *err)
{
    uint32_t named = htmmu_named_bank(d->config, visit, d->requesters);
    uint32_t dealt = d->deal == HTMMU_HOME ? 1 : 2 * d->streams;
    if (d->deal == HTMMU_HOME)
        dispatch_named(d, named, visit->requests);
    dealt = (uint32_t)msw_min_u64(visit->requests, dealt);
    for (uint32_t i = 0; i < dealt; i++)
        if (use(d, turn(d, named), visit->page, farthest, err))
            return -1;
    count_rest(d, visit->requests - dealt);
    return 0;
}

static int open_banks(dealer *d, uint64_t visits, msw_arena *scratch, msw_err *err)
{
    for (uint32_t bank = 0; bank < d->streams; bank++) {
        void *memory = msw_arena_take(scratch, msw_reuse_bytes((uint32_t)visits));
        if (!memory)
            return msw_fail_memory(err);
        if (htmmu_parts_open(&d->parts[bank], d->config, d->config->l1_coalesce, visits, scratch,
                             err) ||
            msw_reuse_init(&d->reuse[bank], (uint32_t)visits, memory, err) ||
            htmmu_stacks_open(&d->stacks[bank], d->numbers, scratch, err))
            return -1;
    }
    return 0;
}

static int deal_all(dealer *d, const htmmu_stream *stream, int kind, msw_arena *arena, msw_err *err)
{
    msw_arena scratch = {0};
    uint8_t *bins = msw_arena_zero(arena, stream->visit_count, 1);
    if (!bins)
        return msw_fail_memory(err);
    d->result->bins[kind] = bins;
    d->deal = kind;
    d->distances = &d->result->distances[kind];
    d->blocks = &d->result->blocks[kind];
    d->sets = &d->result->sets[kind];
    int rc = open_banks(d, stream->visit_count, &scratch, err);
    for (uint64_t i = 0; rc == 0 && i < stream->visit_count; i++)
        rc = deal(d, &stream->visits[i], &bins[i], err);
    msw_arena_free(&scratch);
    return rc;
}

int htmmu_build_banks(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    const htmmu_config *config = task->config;
    htmmu_banks *banks = msw_arena_zero(arena, 1, sizeof *banks);
    dealer d = {.config = config,
                .requesters = htmmu_requesters(task),
                .result = banks,
                .streams = (uint32_t)config->streams};
    *root = banks;
    if (!banks)
        return msw_fail_memory(err);
    d.numbers = HTMMU_SETS - msw_bits_log2(d.streams);
    d.coalesce = htmmu_coalesce_shift(config, config->l1_coalesce);
    if (deal_all(&d, stream, HTMMU_HOME, arena, err))
        return -1;
    for (uint32_t bank = 0; bank < d.streams; bank++)
        banks->named[bank] = (double)d.named[bank] / (double)stream->requests;
    if (config->router != HTMMU_ROUTER_ADAPTIVE || config->streams < 2)
        return 0;
    return deal_all(&d, stream, HTMMU_TURN, arena, err);
}

/* Paths by the time of their last walk, for one filter. */
typedef struct path_stack {
    uint32_t *last[HTMMU_UPPER];  /* by number of a prefix: time of its last walk, 0: never */
    uint32_t *first[HTMMU_UPPER]; /* of the walk that brought it in */
    msw_lru_stack used;           /* whole paths */
} path_stack;

typedef struct profiler {
    htmmu_profile *profile;
    uint32_t *distances; /* of the visits */
    uint8_t *filters, *bins;
    const htmmu_stream *stream;
    msw_pagetable table;
    msw_reuse reuse;
    htmmu_stacks stacks;
    htmmu_parts parts;
    htmmu_numbering prefixes[HTMMU_UPPER];
    path_stack walked[HTMMU_FILTERS];
    unsigned coalesce; /* log2 of pages in an entry */
} profiler;

/* ---- paths ---- */

enum { KEPT = 64 }; /* paths, when it is asked which walk brought one in */

static void look_back(profiler *f, int filter, unsigned level, uint32_t number)
{
    path_stack *s = &f->walked[filter];
    uint32_t time = s->last[level][number], *first = &s->first[level][number], far = KEPT;
    if (time) {
        far = msw_lru_stack_since(&s->used, time);
        f->profile->paths[filter][level][htmmu_bin_of(far)]++;
    }
    if (far >= KEPT)
        *first = s->used.now + 1;
    else
        for (unsigned span = HTMMU_SPANS; span-- && (s->used.now + 1 - *first) >> span == 0;)
            f->profile->behind[filter][level][span]++;
}

static void walk_path(profiler *f, int filter, const uint32_t *numbers)
{
    path_stack *s = &f->walked[filter];
    unsigned upper = f->profile->upper, full = upper - 1;
    for (unsigned level = 0; level < upper; level++)
        look_back(f, filter, level, numbers[level]);
    uint32_t now = msw_lru_stack_use(&s->used, s->last[full][numbers[full]]);
    for (unsigned level = 0; level < upper; level++)
        s->last[level][numbers[level]] = now;
}

static void follow_path(profiler *f, const htmmu_visit *visit, uint32_t distance)
{
    msw_page page = htmmu_page_of(visit->page);
    uint32_t numbers[HTMMU_UPPER];
    if (distance >> (1 + HTMMU_SIZE_FIRST) == 0)
        return;
    uint64_t path =
        msw_pagetable_path(&f->table, page.address, msw_pagetable_leaf(&f->table, page.shift));
    unsigned bits = f->table.config.level_bits + 1, fields = f->table.levels - 1;
    for (unsigned level = 0; level < f->profile->upper; level++)
        numbers[level] = htmmu_number_of(&f->prefixes[level], path >> bits * (fields - 1 - level));
    for (int filter = 0; filter < HTMMU_FILTERS; filter++) {
        if (distance >> (3 * filter + 1 + HTMMU_SIZE_FIRST) == 0)
            return;
        walk_path(f, filter, numbers);
    }
}

/* ---- the pass ---- */

static int follow_visit(profiler *f, uint64_t number, msw_err *err)
{
    const htmmu_visit *visit = &f->stream->visits[number];
    uint64_t block = htmmu_block(visit->page, f->coalesce + f->parts.shift);
    uint32_t *distance = &f->distances[number];
    if (msw_reuse_next(&f->reuse, block, distance, err))
        return -1;
    htmmu_count_distance(&f->profile->blocks, *distance);
    htmmu_stacks_use(&f->stacks, block, &f->profile->sets);
    *distance = htmmu_parts_use(&f->parts, visit->page, *distance);
    htmmu_count_distance(&f->profile->pages, *distance);
    f->bins[number] = htmmu_bin_or_cold(*distance);
    while (f->filters[number] < HTMMU_FILTERS &&
           *distance >> (3 * f->filters[number] + 1 + HTMMU_SIZE_FIRST))
        f->profile->walked[f->filters[number]++]++;
    if (f->profile->upper)
        follow_path(f, visit, *distance);
    return 0;
}

/* Counts below each limit, from counts between limits. */
static void add_up(htmmu_profile *p)
{
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

static int open_paths(profiler *f, uint32_t visits, msw_arena *scratch, msw_err *err)
{
    for (unsigned level = 0; level < f->profile->upper; level++)
        if (htmmu_numbering_open(&f->prefixes[level], visits, scratch, err))
            return -1;
    for (int filter = 0; filter < HTMMU_FILTERS; filter++) {
        path_stack *s = &f->walked[filter];
        uint32_t *times = msw_arena_zero(scratch, msw_lru_stack_words(visits), sizeof *times);
        for (unsigned level = 0; level < f->profile->upper; level++) {
            s->last[level] = msw_arena_zero(scratch, visits + 1, sizeof(uint32_t));
            s->first[level] = msw_arena_zero(scratch, visits + 1, sizeof(uint32_t));
            if (!s->last[level] || !s->first[level])
                return msw_fail_memory(err);
        }
        if (!times)
            return msw_fail_memory(err);
        msw_lru_stack_init(&s->used, visits, times);
    }
    return 0;
}

static int open_profiler(profiler *f, const msw_task *task, msw_arena *scratch, msw_err *err)
{
    const htmmu_config *c = task->config;
    msw_pagetable_config table = msw_pagetable_x86();
    uint64_t visits = f->stream->visit_count;
    table.address_bits = c->table_levels == 5 ? 57 : 48;
    if (visits >= 1u << 28)
        return msw_fail(err, "%llu page visits: at most 2^28 - 1", (unsigned long long)visits);
    if (msw_pagetable_init(&f->table, &table, err))
        return -1;
    f->profile->upper = msw_pagetable_steps(&f->table, msw_bits_log2((uint64_t)c->page_size)) - 1;
    f->distances = msw_arena_take(scratch, visits * sizeof *f->distances);
    void *memory = msw_arena_take(scratch, msw_reuse_bytes((uint32_t)visits));
    if (!f->distances || !memory)
        return msw_fail_memory(err);
    if (htmmu_parts_open(&f->parts, c, c->l2_coalesce, visits, scratch, err) ||
        msw_reuse_init(&f->reuse, (uint32_t)visits, memory, err) ||
        htmmu_stacks_open(&f->stacks, HTMMU_SETS, scratch, err))
        return -1;
    return open_paths(f, (uint32_t)visits, scratch, err);
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
    if (!f.profile)
        return msw_fail_memory(err);
    f.profile->requests = (double)f.stream->requests;
    f.profile->filters = f.filters = msw_arena_zero(arena, f.stream->visit_count, 1);
    f.profile->bins = f.bins = msw_arena_take(arena, f.stream->visit_count);
    if (!f.filters || !f.bins)
        return msw_fail_memory(err);
    int rc = open_profiler(&f, task, &scratch, err);
    for (uint64_t visit = 0; rc == 0 && visit < f.stream->visit_count; visit++)
        rc = follow_visit(&f, visit, err);
    if (rc == 0)
        rc = htmmu_take_samples(f.profile, f.stream, f.distances, f.coalesce, arena, err);
    msw_arena_free(&scratch);
    add_up(f.profile);
    *root = f.profile;
    return rc;
}
