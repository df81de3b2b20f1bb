/* SPDX-License-Identifier: MIT */
/* Fine-tuning: a predictor of the corpus goes on learning from the program that it runs with,
 * from what is over by then, every so many instructions. */
#include "mech/uvm/learn/record.h"

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
