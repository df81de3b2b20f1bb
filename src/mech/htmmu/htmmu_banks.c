/* One pass over the requests, dealt out to the banks of the first TLB: each to the bank that its
 * address or requester names, and each to any bank, as an adaptive router does under load. */
#include "htmmu_profile.h"

#include "memsweep/reuse.h"

#include <string.h>

typedef struct dealer {
    const htmmu_config *config;
    const uint16_t *requesters;
    msw_reuse banks[16];
    const htmmu_profile *profile;
    htmmu_banks *result;
    htmmu_distances *distances;
    uint64_t named[16];
    uint32_t used; /* banks that have taken a request in this cycle */
    struct {
        uint64_t misses[16], all, sum, times;
    } limits[HTMMU_LIMITS];
    uint64_t position;
    unsigned coalesce; /* log2 of pages in an entry */
} dealer;

static int deal(dealer *d, uint32_t bank, uint64_t page, uint32_t *distance, msw_err *err)
{
    if (msw_reuse_next(&d->banks[bank], htmmu_block(page, d->coalesce), distance, err))
        return -1;
    if (*distance == MSW_REUSE_COLD)
        d->distances->cold++;
    else
        d->distances->count[htmmu_bin_of(*distance)]++;
    return 0;
}

static void dispatch_home(dealer *d, htmmu_banks *banks, uint32_t bank, uint32_t requests)
{
    uint32_t bit = (uint32_t)1 << bank;
    if (d->used & bit || d->used == 0) {
        banks->cycles++;
        d->used = 0;
    }
    banks->cycles += requests - 1;
    d->used = requests > 1 ? bit : d->used | bit;
}

/* A run that misses: its requests miss until its bank is full. */
static void fill_registers(dealer *d, uint32_t bank, uint32_t requests)
{
    for (int i = 0; i < HTMMU_LIMITS; i++) {
        uint64_t limit = (uint64_t)1 << i, *misses = d->limits[i].misses;
        uint64_t more = requests <= limit ? requests : limit + 1;
        if (misses[bank] + more > limit) {
            d->limits[i].sum += d->limits[i].all + (limit - misses[bank]);
            d->limits[i].times++;
            d->limits[i].all = 0;
            memset(misses, 0, sizeof d->limits[i].misses);
        }
        misses[bank] += more;
        d->limits[i].all += more;
    }
}

enum { FAR = 256 }; /* a run misses where so many pages of its bank were used since */

static int deal_home(dealer *d, const htmmu_run *run, msw_err *err)
{
    uint32_t bank = htmmu_named_bank(d->config, run, d->requesters), distance;
    d->named[bank] += run->requests;
    d->distances->total += run->requests;
    d->distances->count[0] += run->requests - 1;
    dispatch_home(d, d->result, bank, run->requests);
    if (deal(d, bank, run->page, &distance, err))
        return -1;
    if (distance >= FAR)
        fill_registers(d, bank, run->requests);
    return 0;
}

static void sum_home(dealer *d, const htmmu_stream *stream)
{
    uint64_t most = 0;
    for (int bank = 0; bank < 16; bank++)
        most = d->named[bank] > most ? d->named[bank] : most;
    d->result->busiest = (double)most / (double)stream->requests;
    for (int i = 0; i < HTMMU_LIMITS; i++)
        d->result->until_full[i] = d->limits[i].times
                                       ? (double)d->limits[i].sum / (double)d->limits[i].times
                                       : (double)(d->config->streams << i);
}

/* Any bank, decided by the number of the request alone. */
static uint32_t any_bank(uint64_t position, int64_t streams)
{
    uint64_t mixed = (position + 1) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 31) * 0xBF58476D1CE4E5B9u;
    return (uint32_t)((mixed >> 32) * (uint64_t)streams >> 32);
}

/* Long runs have met all banks long before their end. */
static int deal_scatter(dealer *d, const htmmu_run *run, msw_err *err)
{
    uint32_t streams = (uint32_t)d->config->streams, dealt = 8 * streams;
    uint32_t first = any_bank(d->position, streams), distance;
    dealt = run->requests < dealt ? run->requests : dealt;
    for (uint32_t i = 0; i < dealt; i++)
        if (deal(d, i < streams ? (first + i) % streams : any_bank(d->position + i, streams),
                 run->page, &distance, err))
            return -1;
    d->distances->total += run->requests;
    d->distances->count[0] += run->requests - dealt;
    d->position += run->requests;
    return 0;
}

static int open_banks(dealer *d, uint64_t runs, msw_arena *scratch, msw_err *err)
{
    for (int64_t bank = 0; bank < d->config->streams; bank++) {
        void *memory = msw_arena_take(scratch, msw_reuse_bytes((uint32_t)runs));
        if (!memory)
            return msw_fail_memory(err);
        if (msw_reuse_init(&d->banks[bank], (uint32_t)runs, memory, err))
            return -1;
    }
    return 0;
}

typedef int (*deal_fn)(dealer *d, const htmmu_run *run, msw_err *err);

static int deal_all(dealer *d, const htmmu_stream *stream, htmmu_distances *distances, deal_fn fn,
                    msw_err *err)
{
    msw_arena scratch = {0};
    d->position = 0;
    int rc = open_banks(d, stream->run_count, &scratch, err);
    for (uint64_t unit = 0; rc == 0 && unit < stream->unit_count; unit++) {
        d->distances = &distances[d->profile->part[unit]];
        for (uint64_t i = stream->units[unit]; rc == 0 && i < stream->units[unit + 1]; i++)
            rc = fn(d, &stream->runs[i], err);
    }
    msw_arena_free(&scratch);
    return rc;
}

int htmmu_build_banks(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    htmmu_banks *banks = msw_arena_zero(arena, 1, sizeof *banks);
    dealer d = {.config = task->config,
                .requesters = htmmu_requesters(task),
                .profile = task->artifacts[HTMMU_ARTIFACT_PROFILE]};
    if (!banks)
        return msw_fail_memory(err);
    d.result = banks;
    d.coalesce = htmmu_coalesce_shift(d.config, d.config->l1_coalesce);
    if (deal_all(&d, stream, banks->home, deal_home, err))
        return -1;
    sum_home(&d, stream);
    if (d.config->router == HTMMU_ROUTER_ADAPTIVE && d.config->streams > 1) {
        if (deal_all(&d, stream, banks->scatter, deal_scatter, err))
            return -1;
    } else {
        memcpy(banks->scatter, banks->home, sizeof banks->scatter);
    }
    *root = banks;
    return 0;
}
