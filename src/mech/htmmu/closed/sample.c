/* SPDX-License-Identifier: MIT */
/* Samples of misses: which visits a TLB of each capacity does not hold, and what follows them.
 * Two small tables over keys serve them: numbers for keys as they come, and the keys used last in
 * each set.
 *
 * The fresh visits are cut into as many equal parts as the sample has stretches, and each part
 * gives one of them: of a few that begin at even steps in it the one with which the sample so far
 * comes nearest to the stream, in requests per fresh visit and in those that may be under way
 * together (balanced sampling, Deville and Tille 2004, done greedily). */
#include "mech/htmmu/closed/profile.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/reuse.h"

#include <string.h>

int htmmu_numbering_open(htmmu_numbering *n, uint64_t most, msw_arena *arena, msw_err *err)
{
    size_t slots = msw_set_slots(most);
    uint64_t *keys = msw_arena_take(arena, slots * sizeof *keys);
    *n = (htmmu_numbering){.numbers = msw_arena_take(arena, slots * sizeof *n->numbers)};
    if (!keys || !n->numbers)
        return msw_fail_memory(err);
    msw_set_init(&n->keys, keys, most);
    return 0;
}

/* Returns whether a key has a number, and which. */
static bool htmmu_has_number(const htmmu_numbering *n, uint64_t key, uint32_t *number)
{
    size_t slot = msw_set_slot(&n->keys, key);
    bool has = n->keys.slots[slot] != 0;
    if (has)
        *number = n->numbers[slot];
    return has;
}

uint32_t htmmu_number_of(htmmu_numbering *n, uint64_t key)
{
    size_t slot = msw_set_slot(&n->keys, key);
    if (!n->keys.slots[slot]) {
        n->keys.slots[slot] = key + 1;
        n->numbers[slot] = n->count++;
    }
    return n->numbers[slot];
}

int htmmu_stacks_open(htmmu_stacks *s, unsigned numbers, msw_arena *arena, msw_err *err)
{
    s->numbers = numbers;
    for (unsigned i = 0; i < numbers; i++) {
        s->keys[i] = msw_arena_zero(arena, (size_t)HTMMU_WAYS << i, sizeof *s->keys[i]);
        if (!s->keys[i])
            return msw_fail_memory(err);
    }
    return 0;
}

/* Moves a key to the front of its set. Returns how many were used since. */
static int to_front(uint64_t *keys, uint64_t key)
{
    int at = 0;
    while (at < HTMMU_WAYS - 1 && keys[at] != key && keys[at])
        at++;
    int distance = keys[at] == key ? at : HTMMU_WAYS;
    memmove(keys + 1, keys, (size_t)at * sizeof *keys);
    keys[0] = key;
    return distance;
}

/* The key used last in its set is so in the smaller sets that this one is divided into. */
void htmmu_stacks_use(htmmu_stacks *s, uint64_t page, htmmu_sets *counts)
{
    int distance = HTMMU_WAYS;
    for (unsigned i = 0; i < s->numbers; i++) {
        uint64_t set = page >> 6 & (((uint64_t)1 << i) - 1);
        if (distance)
            distance = to_front(s->keys[i] + set * HTMMU_WAYS, page + 1);
        counts->count[i][distance]++;
    }
}

int htmmu_parts_open(htmmu_parts *p, const htmmu_config *config, int64_t coalesce, uint64_t most,
                     msw_arena *arena, msw_err *err)
{
    *p = (htmmu_parts){.shift = msw_bits_log2((uint64_t)coalesce)};
    if (config->coalesce_fill == HTMMU_FILL_BLOCK || p->shift == 0) {
        p->shift = 0;
        return 0;
    }
    size_t bytes = (size_t)most << p->shift << 2;
    p->since = msw_arena_take(arena, bytes);
    if (!p->since)
        return msw_fail_memory(err);
    memset(p->since, 0xFF, bytes); /* MSW_REUSE_COLD */
    return htmmu_numbering_open(&p->blocks, most, arena, err);
}

uint32_t htmmu_parts_use(htmmu_parts *p, uint64_t page, uint32_t distance)
{
    if (p->shift == 0)
        return distance;
    uint32_t pages = 1u << p->shift, own = (uint32_t)(page >> 6) & (pages - 1);
    uint32_t *since =
        p->since + ((size_t)htmmu_number_of(&p->blocks, htmmu_block(page, p->shift)) << p->shift);
    for (uint32_t i = 0; i < pages; i++)
        since[i] = since[i] > distance ? since[i] : distance;
    distance = since[own];
    since[own] = 0;
    return distance;
}

enum {
    FRESH = 160,    /* of a sample, */
    STRETCHES = 4,  /* in so many stretches */
    CHOICES = 16,   /* for a stretch */
    ITEMS = 1000,   /* of a sample */
    WORK = 560,     /* requests that may be under way together, of a sample */
    TOGETHER = 24,  /* of a visit */
    FOLLOWS = 1024, /* requests behind a fresh visit within which its page may still be walked */
};

/* Sums over the visits before a fresh one. */
typedef struct sums {
    uint64_t visit;  /* its number */
    double requests; /* all */
    double work;     /* that may be under way together */
    double items;
} sums;

typedef struct sampler {
    const htmmu_stream *stream;
    const uint32_t *distances;
    unsigned coalesce;
    uint32_t capacity;
    htmmu_sample *sample;
    sums *before;           /* by fresh visit, and behind the last */
    uint64_t fresh;         /* of the stream */
    htmmu_numbering blocks; /* of the stream; then of the sample */
    uint64_t *fetched;      /* by block: position behind the start of its last fresh visit */
    uint64_t position;
    htmmu_item items[HTMMU_ITEMS];
    htmmu_numbering pages;
    double gap;
} sampler;

_Static_assert(ITEMS + 2 * FRESH <= HTMMU_ITEMS, "fresh visits come in addition to the others");

typedef enum role { OTHER, FOLLOWER, FETCHED } role;

/* Goes on by a visit. Returns whether its block is fetched with it, or was so short a time ago that
 * it may still be walked; then also its number. */
static role meet(sampler *s, uint64_t number, uint32_t *block)
{
    const htmmu_visit *visit = &s->stream->visits[number];
    uint64_t key = htmmu_block(visit->page, s->coalesce), position = s->position;
    s->position += visit->requests;
    if (s->distances[number] >= s->capacity) {
        *block = htmmu_number_of(&s->blocks, key);
        s->fetched[*block] = position + 1;
        return FETCHED;
    }
    if (htmmu_has_number(&s->blocks, key, block) && position + 1 - s->fetched[*block] < FOLLOWS)
        return FOLLOWER;
    return OTHER;
}

static uint32_t work_of(const htmmu_visit *visit, role kind)
{
    return kind == FETCHED ? msw_min_u64(visit->requests, TOGETHER) : kind == FOLLOWER;
}

/* ---- all fresh visits ---- */

static void add_up(sampler *s)
{
    sums sum = {0};
    uint32_t block;
    s->fresh = 0;
    for (uint64_t visit = 0; visit < s->stream->visit_count; visit++) {
        role kind = meet(s, visit, &block);
        if (kind == FETCHED) {
            sum.visit = visit;
            s->before[s->fresh++] = sum;
        }
        sum.requests += s->stream->visits[visit].requests;
        sum.work += work_of(&s->stream->visits[visit], kind);
        sum.items += kind != OTHER;
    }
    sum.visit = s->stream->visit_count;
    s->before[s->fresh] = sum;
}

/* ---- stretches ---- */

typedef struct stretch {
    uint64_t first, end; /* fresh visits */
} stretch;

/* From fresh visit `first` on, as far as one stretch may go. */
static stretch stretch_at(const sampler *s, uint64_t first, uint64_t last)
{
    stretch found = {first, first + 1};
    const sums *from = &s->before[first];
    while (found.end < last && found.end - first < (uint64_t)FRESH / STRETCHES &&
           s->before[found.end].work - from->work < (double)WORK / STRETCHES &&
           s->before[found.end].items - from->items < (double)ITEMS / STRETCHES)
        found.end++;
    return found;
}

static double square(double x)
{
    return x * x;
}

/* How far a sample is from the stream's share of requests and work. */
static double distance_of(const sampler *s, const sums *taken, double fresh)
{
    const sums *all = &s->before[s->fresh];
    double share = fresh / (double)s->fresh;
    return square(taken->requests / (all->requests * share) - 1) +
           square(taken->work / (all->work * share) - 1);
}

static sums sum_with(const sampler *s, const sums *taken, const stretch *more)
{
    const sums *from = &s->before[more->first], *to = &s->before[more->end];
    return (sums){.requests = taken->requests + to->requests - from->requests,
                  .work = taken->work + to->work - from->work};
}

static stretch choose(const sampler *s, uint64_t part, uint64_t parts, sums *taken)
{
    uint64_t first = part * s->fresh / parts, last = (part + 1) * s->fresh / parts;
    stretch best = stretch_at(s, first, last);
    double nearest = 1e300, fresh = s->sample->fresh;
    for (uint64_t i = 0; i < CHOICES; i++) {
        stretch one = stretch_at(s, first + i * (last - first) / CHOICES, last);
        sums sum = sum_with(s, taken, &one);
        double distance = distance_of(s, &sum, fresh + (double)(one.end - one.first));
        if (distance < nearest) {
            nearest = distance;
            best = one;
        }
    }
    *taken = sum_with(s, taken, &best);
    return best;
}

static void add_item(sampler *s, const htmmu_visit *visit, uint32_t block, bool fresh)
{
    htmmu_sample *sample = s->sample;
    uint32_t page = htmmu_number_of(&s->pages, visit->page);
    s->items[sample->item_count++] = (htmmu_item){.gap = (uint32_t)s->gap,
                                                  .requests = visit->requests,
                                                  .first = visit->first,
                                                  .page = (uint16_t)page,
                                                  .block = (uint16_t)block,
                                                  .fresh = fresh};
    s->gap = 0;
    sample->fresh += fresh;
    for (int bits = 0; fresh && bits < 5; bits++)
        sample->touches[bits] += msw_min_u64(visit->requests, 1u << bits);
}

static void take(sampler *s, const stretch *one)
{
    uint32_t block, left = ITEMS - msw_min_u64(ITEMS, s->sample->item_count);
    for (uint64_t visit = s->before[one->first].visit; visit < s->before[one->end].visit; visit++) {
        const htmmu_visit *here = &s->stream->visits[visit];
        role kind = meet(s, visit, &block);
        s->sample->requests += here->requests;
        if (kind == FETCHED || (kind == FOLLOWER && left)) {
            add_item(s, here, block, kind == FETCHED);
            left -= kind == FOLLOWER;
        } else {
            s->gap += here->requests;
        }
    }
}

static int keep(const sampler *s, msw_arena *arena, msw_err *err)
{
    htmmu_sample *sample = s->sample;
    htmmu_item *items = msw_arena_take(arena, sample->item_count * sizeof *items);
    uint64_t *pages = msw_arena_take(arena, s->pages.count * sizeof *pages);
    if (!items || !pages)
        return msw_fail_memory(err);
    memcpy(items, s->items, sample->item_count * sizeof *items);
    for (size_t slot = 0; slot <= s->pages.keys.mask; slot++)
        if (s->pages.keys.slots[slot])
            pages[s->pages.numbers[slot]] = s->pages.keys.slots[slot] - 1;
    sample->items = items;
    sample->pages = pages;
    sample->page_count = s->pages.count;
    sample->block_count = s->blocks.count;
    sample->all_fresh = (double)s->fresh;
    return 0;
}

static int open_sampler(sampler *s, msw_arena *scratch, msw_err *err)
{
    uint64_t visits = s->stream->visit_count;
    s->before = msw_arena_take(scratch, (visits + 1) * sizeof *s->before);
    s->fetched = msw_arena_take(scratch, visits * sizeof *s->fetched);
    if (!s->before || !s->fetched)
        return msw_fail_memory(err);
    return htmmu_numbering_open(&s->blocks, visits, scratch, err);
}

static int take_sample(sampler *s, msw_arena *scratch, msw_arena *arena, msw_err *err)
{
    sums taken = {0};
    if (open_sampler(s, scratch, err))
        return -1;
    add_up(s);
    const sums *all = &s->before[s->fresh];
    bool whole = s->fresh <= 2 * FRESH && all->work <= 2 * WORK && all->items <= ITEMS;
    uint64_t parts = s->fresh < STRETCHES ? s->fresh : STRETCHES;
    if (htmmu_numbering_open(&s->pages, HTMMU_ITEMS, scratch, err) ||
        htmmu_numbering_open(&s->blocks, HTMMU_ITEMS, scratch, err))
        return -1;
    for (uint64_t part = 0; !whole && part < parts; part++) {
        stretch one = choose(s, part, parts, &taken);
        take(s, &one);
    }
    if (whole)
        take(s, &(stretch){0, s->fresh});
    return keep(s, arena, err);
}

int htmmu_take_samples(htmmu_profile *profile, const htmmu_stream *stream,
                       const uint32_t *distances, unsigned coalesce, msw_arena *arena, msw_err *err)
{
    msw_arena scratch = {0};
    sampler *s = msw_arena_take(&scratch, sizeof *s);
    int rc = s ? 0 : msw_fail_memory(err);
    for (int size = 0; rc == 0 && size < HTMMU_SIZES; size++) {
        msw_arena_mark mark = msw_arena_now(&scratch);
        *s = (sampler){.stream = stream,
                       .distances = distances,
                       .coalesce = coalesce,
                       .capacity = 1u << (size + HTMMU_SIZE_FIRST),
                       .sample = &profile->samples[size]};
        rc = take_sample(s, &scratch, arena, err);
        msw_arena_release(&scratch, mark);
    }
    msw_arena_free(&scratch);
    return rc;
}
