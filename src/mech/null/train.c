/* SPDX-License-Identifier: MIT */
/* Trains null's artifact on the corpus, which points of all workloads share: README.md. Sums are
 * cut and added in one order, so that the weights do not depend on who adds. */
#include "mech/null/instrument.h"

#include "memsweep/base/flat.h"
#include "memsweep/base/rng.h"
#include "memsweep/workload/synth.h"

#include <time.h>

/* What is learned from the corpus, batch by batch. */
enum { NULL_WEIGHTS = 16 };

typedef struct null_trained {
    uint64_t batches; /* done */
    double weights[NULL_WEIGHTS];
} null_trained;

bool null_needs_series(const void *config)
{
    return ((const null_config *)config)->terms > 0;
}

int null_build_series(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const null_config *c = task->config;
    double *sum = msw_arena_zero(arena, 1, sizeof *sum);
    if (!sum)
        return msw_fail_memory(err);
    for (int64_t i = 1; i <= c->terms; i++)
        *sum += 1 / ((double)i * (double)i);
    *root = sum;
    return 0;
}

static double mean_weight(const null_trained *trained)
{
    double sum = 0;
    for (int i = 0; i < NULL_WEIGHTS; i++)
        sum += trained->weights[i];
    return sum / NULL_WEIGHTS;
}

double null_shared(const msw_task *task)
{
    const double *series = task->artifacts[NULL_SERIES];
    const null_trained *trained = task->artifacts[NULL_TRAINED];
    return (series ? *series : 0) + (trained ? mean_weight(trained) : 0);
}

enum { CHUNKS = 16, CHUNK_SAMPLES = 8 };
#define MEAN_WEIGHT 1000.0
#define STEP        0.25

bool null_needs_trained(const void *config)
{
    return ((const null_config *)config)->train_batches > 0;
}

static double level_of(const msw_task *task)
{
    double sum = 0;
    for (size_t i = 0; i < task->corpus_count; i++) {
        const msw_synth_product *p = task->corpus[i]->data;
        sum += p->total / ((double)(p->strata * p->units) * MEAN_WEIGHT);
    }
    return task->corpus_count ? sum / (double)task->corpus_count : 1;
}

typedef struct batch {
    uint64_t stream, number;
    double level;
    double sums[CHUNKS];
} batch;

static void add_chunk(void *context, size_t chunk)
{
    batch *b = context;
    msw_rng rng;
    msw_rng_init(&rng, b->stream, b->number * CHUNKS + chunk);
    double sum = 0;
    for (int i = 0; i < CHUNK_SAMPLES; i++)
        sum += b->level * msw_rng_uniform(&rng);
    b->sums[chunk] = sum;
}

/* Waits without using a processor. */
static void take_time(const null_config *c)
{
    int64_t ns = (int64_t)c->cost_batch;
    struct timespec rest = {ns / 1000000000, ns % 1000000000};
    if (ns > 0)
        nanosleep(&rest, NULL);
}

static void learn(const msw_task *task, batch *b, null_trained *trained)
{
    const null_config *c = task->config;
    double mean = 0, *weight = &trained->weights[b->number % NULL_WEIGHTS];
    msw_task_each(task, CHUNKS, add_chunk, b);
    for (int chunk = 0; chunk < CHUNKS; chunk++)
        mean += b->sums[chunk] / (CHUNKS * CHUNK_SAMPLES);
    *weight += STEP * (mean - *weight);
    trained->batches++;
    take_time(c);
}

/* Microseconds. */
double null_cost_trained(const msw_task *task)
{
    const null_config *c = task->config;
    return (double)c->train_batches * c->cost_batch * 1e-3;
}

int null_flatten_trained(const void *root, msw_text *bytes, msw_err *err)
{
    const null_trained *trained = root;
    (void)err;
    msw_flat_add_u64(bytes, trained->batches);
    for (int i = 0; i < NULL_WEIGHTS; i++)
        msw_flat_add_real(bytes, trained->weights[i]);
    return 0;
}

static int read_trained(const char *bytes, size_t size, uint64_t most, null_trained *trained,
                        msw_err *err)
{
    msw_flat flat = msw_flat_open(bytes, size);
    trained->batches = msw_flat_u64(&flat);
    for (int i = 0; i < NULL_WEIGHTS; i++)
        trained->weights[i] = msw_flat_real(&flat);
    return msw_flat_done(&flat) && trained->batches <= most
               ? 0
               : msw_fail(err, "no weights that were kept");
}

int null_unflatten_trained(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                           const void **root, msw_err *err)
{
    const null_config *c = task->config;
    null_trained *trained = msw_arena_zero(arena, 1, sizeof *trained);
    *root = trained;
    return trained ? read_trained(bytes, size, (uint64_t)c->train_batches, trained, err)
                   : msw_fail_memory(err);
}

/* A saved state that cannot be read is ignored. */
static void resume(const msw_task *task, null_trained *trained)
{
    const null_config *c = task->config;
    size_t size;
    const char *bytes = msw_task_saved(task, &size);
    null_trained saved;
    if (bytes && read_trained(bytes, size, (uint64_t)c->train_batches, &saved, NULL) == 0)
        *trained = saved;
}

int null_build_trained(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    (void)extra;
    const null_config *c = task->config;
    null_trained *trained = msw_arena_zero(arena, 1, sizeof *trained);
    if (!trained)
        return msw_fail_memory(err);
    batch b = {.stream = task->stream, .level = level_of(task)};
    resume(task, trained);
    while (trained->batches < (uint64_t)c->train_batches) {
        b.number = trained->batches;
        learn(task, &b, trained);
        if (msw_task_pause(task, null_flatten_trained, trained, err))
            return -1;
    }
    *root = trained;
    return 0;
}
