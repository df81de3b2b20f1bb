/* SPDX-License-Identifier: MIT */
/* The closed form: the machine on stretches of the stream (stretches.c), once, and again on more of
 * it where they differ too much; what the requester makes of it (requester.c); the metrics.
 * README.md, "Closed form". */
#include "mech/htmmu/closed/closed.h"

#include "mech/htmmu/cost.h"

#include "memsweep/base/bits.h"

#include <math.h>

enum {
    PART = 16,      /* of the stream goes first, */
    MOST = 65536,   /* but at most so many requests, */
    FEW = 12,       /* in so many stretches at least */
    MANY = 64,      /* and at most */
    WHOLE_PART = 2, /* where this part of it would go */
    ATTEMPTS = 3
};
#define LEFT 0.15 /* answers with more than this are not to be trusted */
#define SAFE 1.2  /* more stretches than errors ask for, as these are estimates */

/* Stretches and requests of each; no stretches: all of the stream. */
typedef struct attempt {
    size_t stretches;
    uint64_t requests;
} attempt;

static attempt first_attempt(const htmmu_stream *stream)
{
    uint64_t requests = msw_min_u64(stream->requests / PART, MOST);
    uint64_t count = requests / stream->unit_requests;
    count = msw_min_u64(msw_max_u64(count, FEW), MANY);
    return (attempt){count, requests / count};
}

/* As many stretches as bring the error down, as long as a miss, or, where that is a large part of
 * the stream, all of it. */
static attempt next_attempt(const htmmu_sample *s, attempt last)
{
    if (htmmu_went(s) == s->head.totals[HTMMU_REQUESTS])
        return (attempt){0};
    double error = s->error / HTMMU_NEAR, count = SAFE * (double)last.stretches * error * error;
    uint64_t each = msw_max_u64(last.requests, (uint64_t)fmin(s->lasts, MOST));
    count = fmin(fmax(count, (double)(2 * last.stretches)), HTMMU_STRETCHES);
    bool wholly = s->stream->requests <= HTMMU_WHOLE_MOST;
    if (wholly && WHOLE_PART * count * (double)each > (double)s->stream->requests)
        return (attempt){0};
    return (attempt){(size_t)count, each};
}

/* A machine whose requests are made as fast as they are taken; one that the stream passes whole:
 * as the requester says. */
static int pass(const msw_task *task, void *memory, htmmu_machine *m, attempt a, htmmu_sample *s,
                msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    htmmu_config config = *(const htmmu_config *)task->config;
    msw_task own = *task;
    own.config = &config;
    if (!htmmu_is_whole(stream, a.stretches, a.requests))
        config.requester = HTMMU_CLOSED;
    MSW_TRY(htmmu_machine_init(m, &own, memory, err));
    MSW_TRY(htmmu_pass_sample(s, m, a.stretches, a.requests, task->arena, err));
    m->config = task->config;
    return 0;
}

static int sample_stream(const msw_task *task, htmmu_sample *s, msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    htmmu_machine *m = msw_arena_take(task->arena, sizeof *m);
    void *memory = msw_arena_take(task->arena, htmmu_machine_bytes(task->config));
    attempt a = first_attempt(stream);
    if (!m || !memory)
        return msw_fail_memory(err);
    for (int i = 0; i < ATTEMPTS; i++) {
        if (i > 0 && s->error <= (i == 1 ? HTMMU_NEAR : LEFT))
            break;
        attempt next = i ? next_attempt(s, a) : a;
        if (i > 0 && next.stretches == a.stretches && next.requests == a.requests)
            break;
        a = next;
        MSW_TRY(pass(task, memory, m, a, s, err));
    }
    if (s->error > LEFT)
        msw_task_doubt(task, "%zu stretches of the stream that were run leave %.0f %% open",
                       s->blocks[0].went + s->blocks[1].went, 100 * s->error);
    return 0;
}

/* ---- metrics ---- */

static double scale_of(const htmmu_blocks *b, int metric)
{
    if (metric > HTMMU_ISSUE && metric <= HTMMU_STALL_MEMORY)
        return b->scale.stalls;
    bool walked = metric >= HTMMU_REPLAYED && metric <= HTMMU_READ_CYCLES;
    return walked ? b->scale.fresh : b->scale.requests;
}

static double total_of(const htmmu_sample *s, int metric)
{
    double total = s->head.totals[metric] + s->end.totals[metric];
    for (int i = 0; i < HTMMU_BLOCKS; i++)
        total += scale_of(&s->blocks[i], metric) * s->blocks[i].part.totals[metric];
    return total;
}

static double accesses_of(const htmmu_sample *s)
{
    double accesses = s->head.accesses + s->end.accesses;
    for (int i = 0; i < HTMMU_BLOCKS; i++)
        accesses += s->blocks[i].scale.fresh * s->blocks[i].part.accesses;
    return accesses;
}

/* Misses are what became of them. */
static void fill_totals(const htmmu_sample *s, double *t)
{
    for (int i = 0; i < HTMMU_METRICS; i++)
        if (htmmu_metrics[i].kind == MSW_TOTAL)
            t[i] = total_of(s, i);
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
    double went = (double)s->machine->counts.requests;
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
    double went = (double)s->machine->counts.requests;
    htmmu_service service = {.requests = t[HTMMU_REQUESTS],
                             .cycles = t[HTMMU_CYCLES],
                             .wait = (double)s->waits->wait,
                             .idle = t[HTMMU_IDLE],
                             .alone = (double)s->waits->wait_accepted / went};
    service.first = service.alone;
    if (!s->whole)
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
    htmmu_sample *s = msw_arena_take(task->arena, sizeof *s);
    if (!s)
        return msw_fail_memory(err);
    MSW_TRY(htmmu_price(task->config, &prices, err));
    MSW_TRY(sample_stream(task, s, err));
    fill_totals(s, t);
    MSW_TRY(serve(task, s, t, err));
    t[HTMMU_ENERGY] = htmmu_energy(&prices, t, accesses_of(s));
    return 0;
}
