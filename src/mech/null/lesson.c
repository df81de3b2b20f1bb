/* What null learns from the corpus: README.md. Sums are cut and added in one order, so that the
 * weights do not depend on who adds. */
#include "mech/null/instrument.h"

#include "memsweep/base/rng.h"
#include "memsweep/workload/synth.h"

enum { CHUNKS = 16, CHUNK_SAMPLES = 8 };
#define MEAN_WEIGHT 1000.0
#define STEP        0.25

bool null_needs_lesson(const void *config)
{
    return ((const null_config *)config)->lessons > 0;
}

double null_lesson_learned(const null_lesson *lesson)
{
    double sum = 0;
    for (int i = 0; i < NULL_WEIGHTS; i++)
        sum += lesson->weights[i];
    return sum / NULL_WEIGHTS;
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

static void learn(batch *b, null_lesson *lesson)
{
    double mean = 0, *weight = &lesson->weights[b->number % NULL_WEIGHTS];
    for (size_t chunk = 0; chunk < CHUNKS; chunk++)
        add_chunk(b, chunk);
    for (int chunk = 0; chunk < CHUNKS; chunk++)
        mean += b->sums[chunk] / (CHUNKS * CHUNK_SAMPLES);
    *weight += STEP * (mean - *weight);
    lesson->batches++;
}

int null_build_lesson(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const null_config *c = task->config;
    null_lesson *lesson = msw_arena_zero(arena, 1, sizeof *lesson);
    if (!lesson)
        return msw_fail_memory(err);
    batch b = {.stream = task->stream, .level = level_of(task)};
    for (; lesson->batches < (uint64_t)c->lessons;) {
        b.number = lesson->batches;
        learn(&b, lesson);
    }
    *root = lesson;
    return 0;
}
