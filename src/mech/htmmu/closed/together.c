/* SPDX-License-Identifier: MIT */
/* Walks at once, for the closed form: what becomes of accesses and reads when several walks of the
 * pages that a filter does not hold are always under way. The pool of walkers, their paths and the
 * lines of the table are those of the machine; a read takes one time, whoever asks. */
#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"

#include "memsweep/base/bits.h"

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
static void walk_page(pool *p, msw_page page)
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
            walk_page(p, htmmu_page_of(stream->visits[visit].page));
            walks++;
        }
    while (p->under_way)
        pass_event(p);
    return walks > 0;
}

int htmmu_walk_together(const msw_task *task, int filter, htmmu_together *result, msw_err *err)
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
