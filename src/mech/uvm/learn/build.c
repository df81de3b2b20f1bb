/* SPDX-License-Identifier: MIT */
/* Builds the artifacts of predictors: the trace of a program, a network of it or of the corpus,
 * its answers. With fine-tuning a predictor of the corpus goes on learning from the program that
 * it runs with, from what is over by then, every so many instructions. */
#include "mech/uvm/learn/record.h"

#include "mech/uvm/model.h"

#include <string.h>

/* Replay is not random: its predictor begins with weights of its own for all seeds. */
static uint64_t seed_of(const msw_task *task)
{
    return task->mech->random ? task->stream : 1;
}

int uvm_build_trace(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err)
{
    uvm_traced of = {.config = task->config,
                     .stream = uvm_artifact_of(task, "stream"),
                     .layout = uvm_artifact_of(task, "layout"),
                     .most = (size_t)uvm_predictor_of(task)->trace_walks,
                     .task = task};
    (void)extra;
    *root = uvm_trace_of(&of, arena, err);
    return *root ? 0 : -1;
}

static int train(const msw_task *task, const uvm_trace *trace, msw_arena *arena, const void **root,
                 msw_err *err)
{
    msw_arena work = {0};
    uvm_samples *samples = uvm_samples_of(uvm_predictor_of(task), trace, seed_of(task), &work, err);
    const uvm_learner *p = uvm_predictor_of(task);
    uvm_course course = {.visits = uvm_batches_of(p, p->visits)};
    course.saved = msw_task_saved(task, &course.saved_size);
    *root = samples ? uvm_network_train(task, samples, &course, arena, err) : NULL;
    msw_arena_free(&work);
    return *root ? 0 : -1;
}

int uvm_build_network(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    return train(task, uvm_artifact_of(task, "trace"), arena, root, err);
}

/* ---- the corpus ---- */

/* The first share of the trace of a program of the corpus. */
static const uvm_trace *trace_of(const msw_task *task, size_t program, msw_arena *arena,
                                 msw_err *err)
{
    const uvm_config *c = task->config;
    const msw_simt_product *product = task->corpus[program]->data;
    uvm_traced of = {
        .config = c, .most = (size_t)uvm_predictor_of(task)->trace_walks, .task = task};
    of.stream = uvm_extract(product, arena, err);
    of.layout = of.stream ? uvm_layout_of(product, (uint64_t)c->page_size, arena, err) : NULL;
    return of.layout ? uvm_trace_of(&of, arena, err) : NULL;
}

static int join(const msw_task *task, msw_arena *arena, uvm_trace *all, msw_err *err)
{
    double share = uvm_predictor_of(task)->train_share;
    uvm_trace_row *rows = msw_arena_take(
        arena, (task->corpus_count * (size_t)uvm_predictor_of(task)->trace_walks * 2 + 4096) *
                   sizeof *rows);
    if (!rows)
        return msw_fail_memory(err);
    for (size_t i = 0; i < task->corpus_count; i++) {
        const uvm_trace *one = trace_of(task, i, arena, err);
        if (!one)
            return -1;
        size_t count = (size_t)(share * (double)one->count);
        for (size_t r = 0; r < count; r++) {
            rows[all->count] = one->rows[r];
            rows[all->count++].program = (uint8_t)i;
        }
    }
    all->rows = rows;
    return 0;
}

/* Without a corpus it knows nothing. */
int uvm_build_corpus(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    msw_arena work = {0};
    uvm_trace all = {.end = 1};
    (void)extra;
    int rc = task->corpus_count > UINT8_MAX
                 ? msw_fail(err, "a predictor learns from at most %d workloads", UINT8_MAX)
                 : join(task, &work, &all, err);
    if (rc == 0)
        rc = train(task, &all, arena, root, err);
    msw_arena_free(&work);
    return rc;
}

int uvm_read_network(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                     const void **root, msw_err *err)
{
    return uvm_network_unflatten(uvm_predictor_of(task), bytes, size, arena, root, err);
}

/* Microseconds: about 6 operations for each multiplication of a visit, 10 a nanosecond. */
double uvm_network_cost(const msw_task *task)
{
    const uvm_learner *p = uvm_predictor_of(task);
    double width = (double)p->width, tokens = UVM_TOKENS, classes = (double)p->classes / 2;
    double encoder =
        (double)p->layers * tokens * width * (4 * width + 2 * tokens + 2 * (double)p->feed);
    return (double)uvm_batches_of(p, p->visits) * 6 * (encoder + tokens * width * classes) / 1e4;
}

/* ---- answers ---- */

int uvm_build_answers(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    msw_arena work = {0};
    uvm_samples *samples = uvm_samples_of(uvm_predictor_of(task), uvm_artifact_of(task, "trace"),
                                          seed_of(task), &work, err);
    (void)extra;
    const uvm_trained *trained = uvm_trained_of(task, &work);
    *root = samples && trained ? uvm_network_infer(task, trained, samples, arena, err) : NULL;
    msw_arena_free(&work);
    return *root ? 0 : -1;
}

/* ---- predictions for replay ---- */

/* Samples that are the first walks of their pages; whether something follows does not matter. */
static void ask_first_walks(uvm_samples *s)
{
    s->count = s->asked_count = 0;
    for (size_t i = 0; i < s->trace->count; i++)
        if (s->trace->rows[i].first && s->before[i] && s->after[i] != UINT32_MAX) {
            s->asked[s->asked_count++] = (uint32_t)s->count;
            s->rows[s->count++] = (uint32_t)i;
        }
}

/* Numbers of values stay what they are when values are added: the last version knows them all. */
static void name_pages(const uvm_samples *s, const uvm_trained *trained, const uvm_answers *a,
                       uint32_t *named)
{
    const uvm_vocabulary *labels = &trained->version[trained->count - 1]->vocabulary.labels;
    for (size_t i = 0; i < a->count; i++) {
        uint32_t page = s->trace->rows[s->rows[s->asked[i]]].page;
        int64_t target = (int64_t)page + uvm_vocabulary_value(labels, a->answer[i]);
        if (a->answer[i] && a->answer[i] <= labels->count && target >= 0)
            named[page] = (uint32_t)target;
    }
}

int uvm_build_predictions(const msw_task *task, const void *extra, msw_arena *arena,
                          const void **root, msw_err *err)
{
    const uvm_layout *layout = uvm_artifact_of(task, "layout");
    const uvm_learner *p = uvm_predictor_of(task);
    msw_arena work = {0};
    const uvm_trained *trained = uvm_trained_of(task, &work);
    msw_net_size size;
    uvm_named *made = msw_arena_take(arena, sizeof *made);
    uint32_t *page = msw_arena_take(arena, layout->pages * sizeof *page);
    uvm_samples *s = uvm_samples_of(p, uvm_artifact_of(task, "trace"), seed_of(task), &work, err);
    const uvm_answers *answers = NULL;
    (void)extra;
    if (s)
        ask_first_walks(s);
    msw_net_shape shape = trained ? uvm_net_shape_of(p, trained->version[0]) : (msw_net_shape){0};
    if (s && trained && made && page && !msw_net_measure(&shape, &size, err) &&
        (answers = uvm_network_infer(task, trained, s, &work, err))) {
        memset(page, 0xff, layout->pages * sizeof *page);
        name_pages(s, trained, answers, page);
        *made = (uvm_named){page, (uint64_t)(uvm_number_bytes(p->numbers) * (double)size.weights)};
    }
    msw_arena_free(&work);
    *root = made;
    return answers ? 0 : made && page && trained ? -1 : msw_fail_memory(err);
}

static size_t tunings_of(const uvm_learner *p, const uvm_trace *trace)
{
    return (size_t)msw_min_u64((trace->end - 1) / uvm_tune_every(p), UVM_MOST_TUNINGS);
}

/* One more version. What was saved of it, if anything, is in `course`. */
static int tune(const msw_task *task, const uvm_trace *trace, uvm_course *course, uvm_tuned *made,
                msw_arena *arena, msw_err *err)
{
    const uvm_learner *p = uvm_predictor_of(task);
    const uvm_network *from = course->from;
    uint32_t every = uvm_tune_every(p), first = (uint32_t)made->count * every;
    msw_arena work = {0};
    uvm_samples *s = uvm_samples_of(p, trace, from->seed + 1 + made->count, &work, err);
    if (s) {
        uvm_samples_between(s, first, first + every);
        made->version[made->count] = uvm_network_train(task, s, course, arena, err);
    }
    int rc = s && made->version[made->count] ? 0 : -1;
    made->count += rc == 0;
    msw_arena_free(&work);
    return rc;
}

/* What a build that ended early had: its versions, and the rest is of the next. */
static void take_saved(const msw_task *task, uvm_course *course, uvm_tuned *made, msw_arena *arena)
{
    size_t size;
    msw_err ignored;
    const char *bytes = msw_task_saved(task, &size);
    if (!bytes)
        return;
    msw_flat flat = msw_flat_open(bytes, size);
    if (uvm_tuned_unflatten(uvm_predictor_of(task), &flat, arena, made, &ignored)) {
        made->count = 0;
        return;
    }
    course->saved = (const char *)flat.at;
    course->saved_size = flat.left;
}

int uvm_build_tuned(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err)
{
    const uvm_learner *p = uvm_predictor_of(task);
    const uvm_trace *trace = uvm_artifact_of(task, "trace");
    uvm_tuned *made = msw_arena_zero(arena, 1, sizeof *made);
    uvm_course course = {.visits = uvm_batches_of(p, p->tune_visits), .done = made};
    (void)extra;
    if (!made)
        return msw_fail_memory(err);
    take_saved(task, &course, made, arena);
    course.from =
        made->count ? made->version[made->count - 1] : uvm_artifact_of(task, "corpus_network");
    for (size_t wanted = tunings_of(p, trace); made->count < wanted;) {
        if (tune(task, trace, &course, made, arena, err))
            return -1;
        course.from = made->version[made->count - 1];
        course.saved = NULL;
    }
    *root = made;
    return 0;
}

int uvm_read_tuned(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                   const void **root, msw_err *err)
{
    uvm_tuned *made = msw_arena_zero(arena, 1, sizeof *made);
    msw_flat flat = msw_flat_open(bytes, size);
    if (!made)
        return msw_fail_memory(err);
    if (uvm_tuned_unflatten(uvm_predictor_of(task), &flat, arena, made, err))
        return -1;
    *root = made;
    return msw_flat_done(&flat) ? 0 : msw_fail(err, "not a tuned predictor");
}

/* Microseconds, as if it were tuned eight times: how often is not known before the trace is. */
double uvm_tuned_cost(const msw_task *task)
{
    const uvm_learner *p = uvm_predictor_of(task);
    return uvm_network_cost(task) * 8 * (double)p->tune_visits /
           (double)msw_max_u64((uint64_t)p->visits, 1);
}
