/* Training and asking of a predictor. */
#include "mech/uvm/learn/network.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

enum { LOOK_EVERY = 64, LOOK_AT = 1024 }; /* batches; samples */

uint64_t uvm_visits_of(const uvm_learner *p)
{
    return msw_div_up((uint64_t)p->visits, (uint64_t)p->batch) * (uint64_t)p->batch;
}

double uvm_number_bytes(const uvm_learner *p)
{
    return p->numbers >= MSW_NET_SCALED ? 0.5 : 4;
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
                       .classes = (uint32_t)n->words.labels.count + 1,
                       .numbers = (msw_net_numbers)p->numbers,
                       .seed = n->seed};
    for (int f = 0; f < UVM_FEATURES; f++)
        if (features >> f & 1)
            s.values[s.features++] = (uint32_t)n->words.of[f].count + 1;
    share_width(p, s.features, features & 1u << UVM_F_DELTA, s.widths);
    return s;
}

static void call_task(const void *self, size_t n, void (*fn)(void *context, size_t i),
                      void *context)
{
    msw_task_each(self, n, fn, context);
}

/* ---- training ---- */

typedef struct lesson {
    const msw_task *task;
    const uvm_samples *samples;
    msw_net *net;
    uint64_t *chosen;
    msw_net_answer *answers;
    uint64_t visits;
    double reached;
} lesson;

static uint32_t sample_at(const lesson *l, uint64_t visit)
{
    uint64_t count = l->samples->learned_count;
    return l->samples->learned[msw_permute(visit % count, count,
                                           l->samples->seed + 0x9e3779b9 * (1 + visit / count))];
}

static int save(const void *state, msw_text *bytes, msw_err *err)
{
    const lesson *l = state;
    (void)err;
    msw_flat_add_u64(bytes, l->visits);
    msw_flat_add_real(bytes, l->reached);
    msw_net_flatten(l->net, true, bytes);
    return 0;
}

/* What was saved and cannot be read is as good as nothing. */
static void resume(lesson *l)
{
    size_t size;
    const char *bytes = msw_task_saved(l->task, &size);
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
    msw_net_each each = {call_task, l->task};
    msw_net_training how = {.batch = (uint32_t)p->batch, .rate = p->rate};
    uint64_t visits = l->samples->learned_count ? uvm_visits_of(p) : 0;
    while (l->visits < visits && l->reached < p->enough) {
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

/* A network with room for a batch, and for what is asked of it. */
static int open(lesson *l, const uvm_learner *p, const uvm_network *n, msw_arena *work,
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

const uvm_network *uvm_network_train(const msw_task *task, uvm_samples *samples, msw_arena *arena,
                                     msw_err *err)
{
    msw_arena work = {0};
    lesson l = {.task = task, .samples = samples};
    uvm_network *made = msw_arena_zero(arena, 1, sizeof *made);
    size_t dominant = 0;
    int rc = made ? uvm_vocabulary_of(samples, arena, &made->words, &dominant, err)
                  : msw_fail_memory(err);
    if (rc == 0) {
        made->seed = samples->seed;
        made->learned = samples->learned_count;
        made->dominant = dominant;
        rc = uvm_samples_express(samples, &made->words, &work, err);
    }
    if (rc == 0)
        rc = open(&l, samples->how, made, &work, err);
    if (rc == 0) {
        resume(&l);
        rc = learn(&l, samples->how, err);
    }
    if (rc == 0)
        rc = keep_weights(l.net, made, arena, err);
    if (rc == 0) {
        made->visits = l.visits;
        made->reached = l.reached;
    }
    msw_arena_free(&work);
    return rc == 0 ? made : NULL;
}

/* ---- bytes ---- */

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
        uvm_words_flatten(&n->words.of[f], bytes);
    uvm_words_flatten(&n->words.labels, bytes);
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
        if (uvm_words_unflatten(&flat, arena, &n->words.of[f]))
            return msw_fail(err, "not a trained predictor");
    if (uvm_words_unflatten(&flat, arena, &n->words.labels) || flat.short_of)
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

/* ---- asking ---- */

static uint8_t rank_of(const msw_net_answer *a)
{
    for (uint8_t i = 0; i < MSW_NET_BEST; i++)
        if (a->best[i] == a->label)
            return (uint8_t)(i + 1);
    return 0;
}

static uvm_answers *take_answers(size_t count, msw_arena *arena, uint8_t **rank, uint32_t **answer,
                                 uint32_t **label)
{
    uvm_answers *made = msw_arena_zero(arena, 1, sizeof *made);
    *rank = msw_arena_take(arena, count + 1);
    *answer = msw_arena_take(arena, (count + 1) * sizeof **answer);
    *label = msw_arena_take(arena, (count + 1) * sizeof **label);
    if (!made || !*rank || !*answer || !*label)
        return NULL;
    *made = (uvm_answers){.rank = *rank, .answer = *answer, .label = *label, .count = count};
    return made;
}

static int ask_all(lesson *l, const uvm_learner *p, uvm_answers *made, uint8_t *rank,
                   uint32_t *answer, uint32_t *label)
{
    msw_net_each each = {call_task, l->task};
    msw_net_watch(l->net);
    for (size_t at = 0; at < made->count;) {
        uint32_t some = 0;
        for (; some < (uint32_t)p->batch && at + some < made->count; some++)
            l->chosen[some] = l->samples->asked[at + some];
        msw_net_ask(l->net, l->chosen, some, uvm_sample_fetch, l->samples, each, l->answers);
        for (uint32_t i = 0; i < some; i++, at++) {
            label[at] = l->answers[i].label;
            answer[at] = l->answers[i].best[0];
            rank[at] = rank_of(&l->answers[i]);
        }
    }
    made->watched = msw_net_seen(l->net);
    return 0;
}

const uvm_answers *uvm_network_ask(const msw_task *task, const uvm_network *network,
                                   uvm_samples *samples, msw_arena *arena, msw_err *err)
{
    msw_arena work = {0};
    lesson l = {.task = task, .samples = samples};
    uint8_t *rank;
    uint32_t *answer, *label;
    uvm_answers *made = take_answers(samples->asked_count, arena, &rank, &answer, &label);
    int rc =
        made ? uvm_samples_express(samples, &network->words, &work, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = open(&l, samples->how, network, &work, err);
    if (rc == 0)
        rc = msw_net_unflatten(l.net, false, network->weights, network->weight_bytes, err);
    if (rc == 0)
        rc = ask_all(&l, samples->how, made, rank, answer, label);
    msw_arena_free(&work);
    return rc == 0 ? made : NULL;
}
