/* SPDX-License-Identifier: MIT */
/* Training of a predictor. */
#include "mech/uvm/learn/lesson.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

enum { LOOK_EVERY = 64, LOOK_AT = 1024 }; /* batches; samples */

void uvm_call_task(const void *self, size_t n, void (*fn)(void *context, size_t i), void *context)
{
    msw_task_each(self, n, fn, context);
}

/* ---- training ---- */

static uint32_t sample_at(const lesson *l, uint64_t visit)
{
    uint64_t count = l->samples->learned_count;
    return l->samples->learned[msw_permute(visit % count, count,
                                           l->samples->seed + 0x9e3779b9 * (1 + visit / count))];
}

static int save(const void *state, msw_text *bytes, msw_err *err)
{
    const lesson *l = state;
    if (l->course->done && uvm_tuned_flatten(l->course->done, bytes, err))
        return -1;
    msw_flat_add_u64(bytes, l->visits);
    msw_flat_add_real(bytes, l->reached);
    msw_net_flatten(l->net, true, bytes);
    return 0;
}

/* A saved state that cannot be read is ignored. */
static void resume(lesson *l)
{
    size_t size = l->course->saved_size;
    const char *bytes = l->course->saved;
    if (!bytes || size < 16)
        return;
    msw_flat flat = msw_flat_open(bytes, 16);
    uint64_t visits = msw_flat_u64(&flat);
    double reached = msw_flat_real(&flat);
    if (msw_net_unflatten(l->net, true, bytes + 16, size - 16, NULL))
        return;
    l->visits = visits;
    l->reached = reached;
}

/* The share of right answers among samples that are learned from, evenly chosen. */
static double look(lesson *l, const uvm_learner *p, msw_net_each each)
{
    uint64_t count = l->samples->learned_count, right = 0, done = 0;
    uint64_t wanted = count < LOOK_AT ? count : LOOK_AT;
    while (done < wanted) {
        uint32_t some = 0;
        for (; some < (uint32_t)p->batch && done + some < wanted; some++)
            l->chosen[some] = l->samples->learned[(done + some) * count / wanted];
        msw_net_ask(l->net, l->chosen, some, uvm_sample_fetch, l->samples, each, l->answers);
        for (uint32_t i = 0; i < some; i++)
            right += l->answers[i].best[0] == l->answers[i].label;
        done += some;
    }
    return (double)right / (double)wanted;
}

static int learn(lesson *l, const uvm_learner *p, msw_err *err)
{
    msw_net_each each = {uvm_call_task, l->task};
    msw_net_training how = {.batch = (uint32_t)p->batch, .rate = p->rate, .drop = p->drop};
    uint64_t visits = l->samples->learned_count ? l->course->visits : 0;
    double enough = l->course->from ? 2 : p->enough; /* tuning is not cut short */
    while (l->visits < visits && l->reached < enough) {
        for (uint32_t i = 0; i < how.batch; i++)
            l->chosen[i] = sample_at(l, l->visits + i);
        msw_net_learn(l->net, &how, l->chosen, how.batch, uvm_sample_fetch, l->samples, each);
        l->visits += how.batch;
        if (l->visits == visits || l->visits / how.batch % LOOK_EVERY == 0)
            l->reached = look(l, p, each);
        if (msw_task_pause(l->task, save, l, err))
            return -1;
    }
    return 0;
}

static int keep_weights(const msw_net *net, uvm_network *made, msw_arena *arena, msw_err *err)
{
    msw_text bytes = MSW_TEXT_EMPTY;
    msw_net_flatten(net, false, &bytes);
    char *weights = bytes.failed ? NULL : msw_arena_take(arena, bytes.size + 1);
    if (weights)
        memcpy(weights, bytes.data, bytes.size);
    made->weights = weights;
    made->weight_bytes = bytes.size;
    msw_text_free(&bytes);
    return weights ? 0 : msw_fail_memory(err);
}

int uvm_lesson_open(lesson *l, const uvm_learner *p, const uvm_network *n, msw_arena *work,
                    msw_err *err)
{
    msw_net_shape shape = uvm_net_shape_of(p, n);
    l->net = msw_net_new(&shape, (uint32_t)p->batch, work, err);
    if (!l->net)
        return -1;
    l->chosen = msw_arena_take(work, (size_t)p->batch * sizeof *l->chosen);
    l->answers = msw_arena_take(work, (size_t)p->batch * sizeof *l->answers);
    return l->chosen && l->answers ? 0 : msw_fail_memory(err);
}

/* What it knows, and where its weights begin: at random, or as another predictor left them. */
static int begin(lesson *l, uvm_network *made, msw_arena *arena, msw_err *err)
{
    const uvm_network *from = l->course->from;
    uvm_samples *s = l->samples;
    size_t dominant = 0;
    if (from) {
        *made = *from;
        return s->how->tune_words == UVM_WORDS_ADDED
                   ? uvm_vocabulary_grow(s, &from->words, arena, &made->words, err)
                   : 0;
    }
    if (uvm_vocabulary_of(s, arena, &made->words, &dominant, err))
        return -1;
    made->seed = s->seed;
    made->learned = s->learned_count;
    made->dominant = dominant;
    return 0;
}

static int take_weights(lesson *l, msw_err *err)
{
    const uvm_network *from = l->course->from;
    return from ? msw_net_unflatten(l->net, false, from->weights, from->weight_bytes, err) : 0;
}

const uvm_network *uvm_network_train(const msw_task *task, uvm_samples *samples,
                                     const uvm_course *course, msw_arena *arena, msw_err *err)
{
    msw_arena work = {0};
    lesson l = {.task = task, .samples = samples, .course = course};
    uvm_network *made = msw_arena_zero(arena, 1, sizeof *made);
    int rc = made ? begin(&l, made, arena, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = uvm_samples_express(samples, &made->words, &work, err);
    if (rc == 0)
        rc = uvm_lesson_open(&l, samples->how, made, &work, err);
    if (rc == 0)
        rc = take_weights(&l, err);
    if (rc == 0) {
        resume(&l);
        rc = learn(&l, samples->how, err);
    }
    if (rc == 0)
        rc = keep_weights(l.net, made, arena, err);
    if (rc == 0) {
        made->visits += l.visits;
        made->reached = l.reached;
    }
    msw_arena_free(&work);
    return rc == 0 ? made : NULL;
}
