/* SPDX-License-Identifier: MIT */
/* The requests dealt out to the banks of the first TLB: all to the bank that their address names,
 * and, with an adaptive router, to the banks in turn. */
#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/model.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/reuse.h"

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
