/* SPDX-License-Identifier: MIT */
/* The closed form: the machine on stretches of the stream (stretches.c), once, and again on more of
 * it where they differ too much; what the requester makes of it (requester.c); the metrics.
 * README.md, "Closed form". */
#include "mech/htmmu/closed/closed.h"

#include "mech/htmmu/model.h"

#include "memsweep/base/bits.h"

#include <math.h>

enum {
    PART = 12,           /* of the stream goes first, */
    LEAST = 4096,        /* but so many requests at least */
    MOST = 65536,        /* and at most */
    AGAIN_MOST = 1 << 19 /* the second time */
};
#define NEAR 0.1  /* errors up to here are small enough; */
#define LEFT 0.15 /* answers with more than this are not to be trusted */

/* A machine whose requests are made as fast as they are taken; `whole`: as the requester says. */
static int pass(const msw_task *task, void *memory, htmmu_machine *m, uint64_t requests,
                htmmu_sample *s, msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    htmmu_config config = *(const htmmu_config *)task->config;
    msw_task own = *task;
    own.config = &config;
    if (requests < stream->requests)
        config.requester = HTMMU_CLOSED;
    MSW_TRY(htmmu_machine_init(m, &own, memory, err));
    htmmu_pass_sample(s, m, requests);
    m->config = task->config;
    return 0;
}

/* Requests that go first: all where they are few. */
static uint64_t requests_of(const htmmu_stream *stream)
{
    uint64_t few = msw_min_u64(msw_max_u64(stream->requests / PART, LEAST), MOST);
    uint64_t units = few / stream->unit_requests;
    return 2 * msw_max_u64(units, HTMMU_STRETCHES + 1) > stream->unit_count ? stream->requests
                                                                            : few;
}

static uint64_t again_of(const htmmu_stream *stream)
{
    return stream->requests <= AGAIN_MOST ? stream->requests : AGAIN_MOST;
}

static int sample_stream(const msw_task *task, htmmu_sample *s, htmmu_estimate *estimate,
                         msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    htmmu_machine *m = msw_arena_take(task->arena, sizeof *m);
    void *memory = msw_arena_take(task->arena, htmmu_machine_bytes(task->config));
    if (!m || !memory)
        return msw_fail_memory(err);
    MSW_TRY(pass(task, memory, m, requests_of(stream), s, err));
    *estimate = htmmu_estimate_of(s);
    if (estimate->error > NEAR) {
        MSW_TRY(pass(task, memory, m, again_of(stream), s, err));
        *estimate = htmmu_estimate_of(s);
    }
    if (estimate->error > LEFT)
        msw_task_doubt(task, "%zu stretches of the stream that were run leave %.0f %% open",
                       s->count, 100 * estimate->error);
    return 0;
}

/* ---- metrics ---- */

static double scale_of(const htmmu_estimate *e, int metric)
{
    if (metric > HTMMU_ISSUE && metric <= HTMMU_STALL_MEMORY)
        return e->stalls;
    bool walked = metric >= HTMMU_REPLAYED && metric <= HTMMU_READ_CYCLES;
    return walked ? e->fresh : e->requests;
}

/* Misses are what became of them. */
static void fill_totals(const htmmu_sample *s, const htmmu_estimate *e, double *t)
{
    for (int i = 0; i < HTMMU_METRICS; i++)
        if (htmmu_metrics[i].kind == MSW_TOTAL)
            t[i] = s->head.totals[i] + scale_of(e, i) * s->rest.totals[i] + s->end.totals[i];
    double misses =
        t[HTMMU_HELD] + t[HTMMU_L2_HITS] + t[HTMMU_MERGED] + t[HTMMU_WALKS] + t[HTMMU_REPLAYED];
    t[HTMMU_L1_MISSES] = fmin(misses, t[HTMMU_REQUESTS]);
    t[HTMMU_L1_HITS] = t[HTMMU_REQUESTS] - t[HTMMU_L1_MISSES];
    t[HTMMU_CYCLES] = 0;
    for (int i = HTMMU_ISSUE; i <= HTMMU_STALL_MEMORY; i++)
        t[HTMMU_CYCLES] += t[i];
}

static double quantile_of(const htmmu_slot *waits, double level)
{
    double all = 0, below = 0;
    int at = waits->first;
    for (int i = waits->first; i < waits->after; i++)
        all += waits->waits[i];
    for (; at < waits->after - 1 && below + waits->waits[at] < level * all; at++)
        below += waits->waits[at];
    return msw_histogram_edge(at);
}

/* Waits of requests that are made as fast as they are taken, and what the requester adds to them in
 * the mean. */
static void fill_waits(const htmmu_sample *s, const htmmu_service *service, double *t)
{
    double went = s->head.totals[HTMMU_REQUESTS] + s->rest.totals[HTMMU_REQUESTS];
    double mean = (double)s->waits->wait / went, more = service->wait / service->requests - mean;
    t[HTMMU_WAIT] = service->wait;
    t[HTMMU_WAIT_ACCEPTED] = fmin(service->alone * service->requests, service->wait);
    t[HTMMU_WAIT_P50] = fmax(quantile_of(s->waits, 0.5) + more, 0);
    t[HTMMU_WAIT_P99] = fmax(quantile_of(s->waits, 0.99) + more, 0);
    t[HTMMU_WAIT_MAX] = fmax((double)s->waits->wait_max + more, 0);
}

/* What a sample took, and what the requester makes of it; a whole stream went as it says. */
static int serve(const msw_task *task, const htmmu_sample *s, double *t, msw_err *err)
{
    double went = s->head.totals[HTMMU_REQUESTS] + s->rest.totals[HTMMU_REQUESTS];
    htmmu_service service = {.requests = t[HTMMU_REQUESTS],
                             .cycles = t[HTMMU_CYCLES],
                             .wait = (double)s->waits->wait,
                             .idle = t[HTMMU_IDLE],
                             .alone = (double)s->waits->wait_accepted / went};
    service.first = service.alone;
    if (s->count)
        MSW_TRY(htmmu_serve(task, &service, err));
    t[HTMMU_STALL_MEMORY] += service.cycles - service.idle - (t[HTMMU_CYCLES] - t[HTMMU_IDLE]);
    t[HTMMU_IDLE] = service.idle;
    t[HTMMU_CYCLES] = service.cycles;
    fill_waits(s, &service, t);
    return 0;
}

int htmmu_analytic(const msw_task *task, double *t, msw_err *err)
{
    htmmu_prices prices;
    htmmu_estimate estimate = {0};
    htmmu_sample *s = msw_arena_take(task->arena, sizeof *s);
    if (!s)
        return msw_fail_memory(err);
    MSW_TRY(htmmu_price(task->config, &prices, err));
    MSW_TRY(sample_stream(task, s, &estimate, err));
    fill_totals(s, &estimate, t);
    MSW_TRY(serve(task, s, t, err));
    double accesses = s->head.accesses + estimate.fresh * s->rest.accesses + s->end.accesses;
    t[HTMMU_ENERGY] = htmmu_energy(&prices, t, accesses);
    return 0;
}
