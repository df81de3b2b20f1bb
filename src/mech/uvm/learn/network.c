/* SPDX-License-Identifier: MIT */
/* The network that is a predictor: its shape, its training, its bytes as an artifact, and the
 * predictor of a task. */
#include "mech/uvm/learn/network.h"

#include "mech/uvm/learn/record.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

const uvm_learner *uvm_predictor_of(const msw_task *task)
{
    return &((const uvm_config *)task->config)->learner;
}

/* Two records have these artifacts, each at numbers of its own. */
const void *uvm_artifact_of(const msw_task *task, const char *name)
{
    for (size_t i = 0; task->mech->artifacts[i].name; i++)
        if (strcmp(task->mech->artifacts[i].name, name) == 0)
            return task->artifacts[i];
    return NULL;
}

uvm_trained *uvm_trained_of(const msw_task *task, msw_arena *arena)
{
    const uvm_learner *p = uvm_predictor_of(task);
    const uvm_tuned *tuned = uvm_is_tuned(p) ? uvm_artifact_of(task, "tuned_network") : NULL;
    uvm_trained *t = msw_arena_zero(arena, 1, sizeof *t);
    if (!t)
        return NULL;
    t->version[t->count++] =
        uvm_artifact_of(task, p->protocol == UVM_P3 ? "corpus_network" : "network");
    for (size_t v = 0; tuned && v < tuned->count; v++)
        t->version[t->count++] = tuned->version[v];
    t->every = tuned ? uvm_tune_every(p) : 0;
    return t;
}

uint64_t uvm_batches_of(const uvm_learner *p, int64_t visits)
{
    return msw_div_up((uint64_t)visits, (uint64_t)p->batch) * (uint64_t)p->batch;
}

double uvm_number_bytes(int64_t numbers)
{
    return numbers >= MSW_NET_SCALED ? 0.5 : 4;
}

bool uvm_bypassed(const uvm_learner *p, const uvm_network *n)
{
    return n->learned && (double)n->dominant >= p->bypass * (double)n->learned;
}

/* The delta's part of the width is its own; the others share what is left evenly, the first of them
 * get what does not divide. */
static void share_width(const uvm_learner *p, uint32_t count, bool delta, uint32_t *widths)
{
    uint32_t width = (uint32_t)p->width, first = delta ? (uint32_t)p->delta_width : 0;
    uint32_t others = count - delta, at = 0;
    if (delta)
        widths[at++] = others ? first : width;
    for (uint32_t i = 0; i < others; i++)
        widths[at++] = (width - first) / others + (i < (width - first) % others);
}

/* The numbers that a table of a network has: with values to be added as many as there may be. */
static uint32_t room_of(const uvm_learner *p, const uvm_vocabulary *vocabulary)
{
    size_t most = uvm_vocabulary_room(p, vocabulary);
    return (uint32_t)most + 1;
}

msw_net_shape uvm_net_shape_of(const uvm_learner *p, const uvm_network *n)
{
    unsigned features = uvm_features_of(p);
    msw_net_shape s = {.kind = (msw_net_kind)p->network,
                       .tokens = UVM_TOKENS,
                       .layers = (uint32_t)p->layers,
                       .heads = (uint32_t)p->heads,
                       .feed = (uint32_t)p->feed,
                       .attention = uvm_bypassed(p, n) ? MSW_NET_NO_ATTENTION
                                                       : (msw_net_attention)p->attention,
                       .shared = p->shared,
                       .rounds = (uint32_t)p->rounds,
                       .buckets = (uint32_t)p->buckets,
                       .far = p->far,
                       .near = p->near,
                       .pooled = p->pooled,
                       .hidden = (uint32_t)p->hidden,
                       .classes = room_of(p, &n->vocabulary.labels),
                       .numbers = (msw_net_numbers)p->numbers,
                       .activations = (msw_net_numbers)p->activations,
                       .seed = n->seed};
    for (int f = 0; f < UVM_FEATURES; f++)
        if (features >> f & 1)
            s.values[s.features++] = room_of(p, &n->vocabulary.of[f]);
    share_width(p, s.features, features & 1u << UVM_F_DELTA, s.widths);
    return s;
}

int uvm_network_flatten(const void *root, msw_text *bytes, msw_err *err)
{
    const uvm_network *n = root;
    (void)err;
    msw_flat_add_u64(bytes, n->seed);
    msw_flat_add_u64(bytes, n->learned);
    msw_flat_add_u64(bytes, n->dominant);
    msw_flat_add_u64(bytes, n->visits);
    msw_flat_add_real(bytes, n->reached);
    for (int f = 0; f < UVM_FEATURES; f++)
        uvm_vocabulary_flatten(&n->vocabulary.of[f], bytes);
    uvm_vocabulary_flatten(&n->vocabulary.labels, bytes);
    msw_text_add_bytes(bytes, n->weights, n->weight_bytes);
    return 0;
}

/* Weights are looked at here, so that who uses them need not. */
static int check_weights(const uvm_learner *p, const uvm_network *n, msw_err *err)
{
    msw_net_size size;
    msw_net_shape shape = uvm_net_shape_of(p, n);
    uint64_t wanted;
    if (msw_net_measure(&shape, &size, err))
        return -1;
    wanted = 16 + (size.weights + 1) / 2 * 8;
    msw_flat flat = msw_flat_open(n->weights, n->weight_bytes);
    if (wanted != n->weight_bytes || msw_flat_u64(&flat) != size.weights)
        return msw_fail(err, "not a trained predictor");
    return 0;
}

int uvm_network_unflatten(const uvm_learner *p, const char *bytes, size_t size, msw_arena *arena,
                          const void **root, msw_err *err)
{
    msw_flat flat = msw_flat_open(bytes, size);
    uvm_network *n = msw_arena_zero(arena, 1, sizeof *n);
    if (!n)
        return msw_fail_memory(err);
    n->seed = msw_flat_u64(&flat);
    n->learned = msw_flat_u64(&flat);
    n->dominant = msw_flat_u64(&flat);
    n->visits = msw_flat_u64(&flat);
    n->reached = msw_flat_real(&flat);
    for (int f = 0; f < UVM_FEATURES; f++)
        if (uvm_vocabulary_unflatten(&flat, arena, &n->vocabulary.of[f]))
            return msw_fail(err, "not a trained predictor");
    if (uvm_vocabulary_unflatten(&flat, arena, &n->vocabulary.labels) || flat.short_of)
        return msw_fail(err, "not a trained predictor");
    char *weights = msw_arena_take(arena, flat.left + 1);
    if (!weights)
        return msw_fail_memory(err);
    memcpy(weights, flat.at, flat.left);
    n->weights = weights;
    n->weight_bytes = flat.left;
    *root = n;
    return check_weights(p, n, err);
}

/* ---- versions ---- */

int uvm_tuned_flatten(const void *root, msw_text *bytes, msw_err *err)
{
    const uvm_tuned *t = root;
    msw_flat_add_u64(bytes, t->count);
    for (size_t v = 0; v < t->count; v++) {
        msw_text one = MSW_TEXT_EMPTY;
        int rc = uvm_network_flatten(t->version[v], &one, err);
        msw_flat_add_u64(bytes, one.size);
        msw_text_add_bytes(bytes, one.data, one.size);
        rc = rc || one.failed ? -1 : 0;
        msw_text_free(&one);
        if (rc)
            return msw_fail_memory(err);
    }
    return 0;
}

int uvm_tuned_unflatten(const uvm_learner *p, msw_flat *flat, msw_arena *arena, uvm_tuned *t,
                        msw_err *err)
{
    uint64_t count = msw_flat_u64(flat);
    if (count > UVM_MOST_TUNINGS)
        return msw_fail(err, "not a tuned predictor");
    for (t->count = 0; t->count < count; t->count++) {
        uint64_t size = msw_flat_u64(flat);
        const void *one;
        if (flat->short_of || size > flat->left)
            return msw_fail(err, "not a tuned predictor");
        if (uvm_network_unflatten(p, (const char *)flat->at, size, arena, &one, err))
            return -1;
        t->version[t->count] = one;
        flat->at += size;
        flat->left -= size;
    }
    return 0;
}

enum { LOOK_EVERY = 64, LOOK_AT = 1024 }; /* batches; samples */

void uvm_call_task(const void *self, size_t n, void (*fn)(void *context, size_t i), void *context)
{
    msw_task_each(self, n, fn, context);
}

/* ---- training ---- */

uint64_t uvm_learned_at(const uvm_samples *s, uint64_t visit)
{
    uint64_t count = s->learned_count;
    return msw_permute(visit % count, count, s->seed + 0x9e3779b9 * (1 + visit / count));
}

static int save(const void *state, msw_text *bytes, msw_err *err)
{
    const training_set *l = state;
    if (l->course->done && uvm_tuned_flatten(l->course->done, bytes, err))
        return -1;
    msw_flat_add_u64(bytes, l->visits);
    msw_flat_add_real(bytes, l->reached);
    msw_net_flatten(l->net, true, bytes);
    return 0;
}

/* A saved state that cannot be read is ignored. */
static void resume(training_set *l)
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
static double look(training_set *l, const uvm_learner *p, msw_net_each each)
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

static int learn(training_set *l, const uvm_learner *p, msw_err *err)
{
    msw_net_each each = {uvm_call_task, l->task};
    msw_net_training how = {.batch = (uint32_t)p->batch, .rate = p->rate, .drop = p->drop};
    uint64_t visits = l->samples->learned_count ? l->course->visits : 0;
    double enough = l->course->from ? 2 : p->enough; /* tuning is not cut short */
    while (l->visits < visits && l->reached < enough) {
        for (uint32_t i = 0; i < how.batch; i++)
            l->chosen[i] = l->samples->learned[uvm_learned_at(l->samples, l->visits + i)];
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

int uvm_training_set_open(training_set *l, const uvm_learner *p, const uvm_network *n,
                          msw_arena *work, msw_err *err)
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
static int begin(training_set *l, uvm_network *made, msw_arena *arena, msw_err *err)
{
    const uvm_network *from = l->course->from;
    uvm_samples *s = l->samples;
    size_t dominant = 0;
    if (from) {
        *made = *from;
        return s->how->tune_words == UVM_WORDS_ADDED
                   ? uvm_vocabularies_grow(s, &from->vocabulary, arena, &made->vocabulary, err)
                   : 0;
    }
    if (uvm_vocabularies_of(s, arena, &made->vocabulary, &dominant, err))
        return -1;
    made->seed = s->seed;
    made->learned = s->learned_count;
    made->dominant = dominant;
    return 0;
}

static int take_weights(training_set *l, msw_err *err)
{
    const uvm_network *from = l->course->from;
    return from ? msw_net_unflatten(l->net, false, from->weights, from->weight_bytes, err) : 0;
}

const uvm_network *uvm_network_train(const msw_task *task, uvm_samples *samples,
                                     const uvm_course *course, msw_arena *arena, msw_err *err)
{
    msw_arena work = {0};
    training_set l = {.task = task, .samples = samples, .course = course};
    uvm_network *made = msw_arena_zero(arena, 1, sizeof *made);
    int rc = made ? begin(&l, made, arena, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = uvm_samples_express(samples, &made->vocabulary, &work, err);
    if (rc == 0)
        rc = uvm_training_set_open(&l, samples->how, made, &work, err);
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
