/* SPDX-License-Identifier: MIT */
/* Answers of a predictor: about samples, by the versions that there were while a program ran, and
 * in replay, where the walks that a policy makes become tokens as those of a trace do
 * (samples.c). Tokens that have been seen before are looked up. */
#include "mech/uvm/learn/network.h"
#include "mech/uvm/learn/record.h"
#include "mech/uvm/pages/predict.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/vec.h"

#include <string.h>

static uint8_t rank_of(const msw_net_answer *a)
{
    for (int i = 0; i < MSW_NET_BEST; i++)
        if (a->best[i] == a->label)
            return (uint8_t)(i + 1);
    return 0;
}

/* Where answers are written. */
typedef struct outputs {
    uint8_t *rank;
    uint32_t *answer, *label;
} outputs;

static uvm_answers *take_answers(size_t count, msw_arena *arena, outputs *to)
{
    uvm_answers *made = msw_arena_zero(arena, 1, sizeof *made);
    to->rank = msw_arena_take(arena, count + 1);
    to->answer = msw_arena_take(arena, (count + 1) * sizeof *to->answer);
    to->label = msw_arena_take(arena, (count + 1) * sizeof *to->label);
    if (!made || !to->rank || !to->answer || !to->label)
        return NULL;
    *made =
        (uvm_answers){.rank = to->rank, .answer = to->answer, .label = to->label, .count = count};
    return made;
}

/* Asks a version from a place on; `end` is where the next one takes over. */
static void ask_from(training_set *l, size_t at, size_t end, const outputs *to)
{
    msw_net_each each = {uvm_call_task, l->task};
    uint32_t batch = (uint32_t)l->samples->how->batch;
    while (at < end) {
        uint32_t some = 0;
        for (; some < batch && at + some < end; some++)
            l->chosen[some] = l->samples->asked[at + some];
        msw_net_ask(l->net, l->chosen, some, uvm_sample_fetch, l->samples, each, l->answers);
        for (uint32_t i = 0; i < some; i++, at++) {
            to->label[at] = l->answers[i].label;
            to->answer[at] = l->answers[i].best[0];
            to->rank[at] = rank_of(&l->answers[i]);
        }
    }
}

/* The samples asked are in order of time. Returns where those of the next version begin. */
static size_t end_of(const uvm_trained *trained, const uvm_samples *s, size_t version, size_t at)
{
    if (version + 1 == trained->count)
        return s->asked_count;
    uint64_t until = (version + 1) * (uint64_t)trained->every;
    while (at < s->asked_count && s->trace->rows[s->rows[s->asked[at]]].at < until)
        at++;
    return at;
}

static void watch(uvm_answers *made, const msw_net *net)
{
    msw_net_watched seen = msw_net_seen(net), *all = &made->watched;
    double sum = all->sequences + seen.sequences;
    if (!(seen.sequences > 0))
        return;
    all->dots = (all->dots * all->sequences + seen.dots * seen.sequences) / sum;
    all->largest = (all->largest * all->sequences + seen.largest * seen.sequences) / sum;
    all->sequences = sum;
}

static int ask_version(const msw_task *task, const uvm_network *network, uvm_samples *samples,
                       size_t at, size_t end, const outputs *to, uvm_answers *made, msw_err *err)
{
    msw_arena work = {0};
    training_set l = {.task = task, .samples = samples};
    int rc = uvm_samples_express(samples, &network->vocabulary, &work, err);
    if (rc == 0)
        rc = uvm_training_set_open(&l, samples->how, network, &work, err);
    if (rc == 0)
        rc = msw_net_unflatten(l.net, false, network->weights, network->weight_bytes, err);
    if (rc == 0) {
        msw_net_watch(l.net);
        ask_from(&l, at, end, to);
        watch(made, l.net);
    }
    msw_arena_free(&work);
    return rc;
}

const uvm_answers *uvm_network_infer(const msw_task *task, const uvm_trained *trained,
                                     uvm_samples *samples, msw_arena *arena, msw_err *err)
{
    outputs to;
    size_t at = 0;
    uvm_answers *made = take_answers(samples->asked_count, arena, &to);
    if (!made) {
        msw_fail_memory(err);
        return NULL;
    }
    for (size_t v = 0; v < trained->count; v++) {
        size_t end = end_of(trained, samples, v, at);
        if (end > at && ask_version(task, trained->version[v], samples, at, end, &to, made, err))
            return NULL;
        at = end;
    }
    return made;
}

#define UVM_NO_DELTA INT64_MIN
enum { ROWS = UVM_TOKENS + 1 }; /* the difference of the first token is to the one before it */

/* The last walks of a cluster. */
typedef struct trail {
    uvm_trace_row *rows; /* a ring */
    uint64_t count;
} trail;

typedef struct memo {
    msw_digest tokens; /* and the version */
    int64_t delta;     /* UVM_NO_DELTA: none is named */
} memo;

/* A predictor at work: the network in its present version, the latest tokens of each cluster of
 * walks (a trail), and the answers given so far. */
typedef struct online {
    const msw_task *task;
    const uvm_learner *how;
    const uvm_layout *layout;
    const uvm_trained *trained;
    size_t version;
    msw_net *net;
    unsigned features;
    uint32_t tokens[UVM_TOKENS * UVM_FEATURES];
    uint64_t seed;
    msw_map clusters;     /* to the numbers of their trails */
    trail *trails, *last; /* last: that of the latest walk */
    size_t trail_count, trail_room;
    msw_index index; /* of the answers by their tokens */
    memo *known;
    size_t known_count, known_room;
    msw_arena *arena;
    msw_err *err;
} online;

/* ---- walks ---- */

static trail *trail_of(online *a, uint64_t key)
{
    uint64_t *number;
    if (msw_map_add(&a->clusters, key, &number, NULL))
        return NULL;
    if (*number)
        return &a->trails[*number - 1];
    if (msw_vec_reserve_in(a->arena, &a->trails, &a->trail_room, a->trail_count + 1,
                           sizeof *a->trails, NULL))
        return NULL;
    trail *t = &a->trails[a->trail_count++];
    *t = (trail){.rows = msw_arena_zero(a->arena, ROWS, sizeof *t->rows)};
    *number = a->trail_count;
    return t->rows ? t : NULL;
}

static int tell(void *self, const uvm_event *e)
{
    online *a = self;
    uvm_trace_row row = uvm_trace_row_of(a->layout, e);
    trail *t = a->last = trail_of(a, uvm_cluster_key(&row, a->how->cluster));
    if (!t)
        return -1;
    if (t->count && a->how->repeats == UVM_REPEATS_DROPPED &&
        t->rows[(t->count - 1) % ROWS].page == row.page)
        return 0;
    t->rows[t->count++ % ROWS] = row;
    return 0;
}

/* ---- tokens ---- */

/* As uvm_samples_express and uvm_sample_fetch make them of a trace. */
static void make_tokens(online *a, const trail *t)
{
    const uvm_vocabularies *vocabulary = &a->trained->version[a->version]->vocabulary;
    uint64_t first = t->count > ROWS ? t->count - ROWS : 0, count = t->count - first;
    uvm_trace_row rows[ROWS];
    uint32_t before[ROWS], size = msw_bits_count(a->features);
    uvm_trace trace = {rows, count, 0};
    uvm_samples s = {.how = a->how, .trace = &trace, .before = before};
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = t->rows[(first + i) % ROWS];
        before[i] = i;
    }
    memset(a->tokens, 0, sizeof a->tokens);
    for (uint64_t i = 1; i < count; i++) {
        uint64_t at = UVM_TOKENS - count + i;
        if (a->how->shuffle == UVM_SHUFFLED)
            at = msw_permute(at, UVM_TOKENS, a->seed + 1 + t->count);
        uint32_t *value = a->tokens + at * size;
        for (int f = 0; f < UVM_FEATURES; f++)
            if (a->features >> f & 1)
                *value++ = uvm_vocabulary_number(&vocabulary->of[f], uvm_feature(&s, i, f));
    }
}

static uint32_t fetch(const void *self, uint64_t sample, uint32_t *tokens)
{
    const online *a = self;
    (void)sample;
    memcpy(tokens, a->tokens, UVM_TOKENS * msw_bits_count(a->features) * sizeof *tokens);
    return 0;
}

/* ---- answers ---- */

static int64_t infer(online *a)
{
    const uvm_vocabulary *labels = &a->trained->version[a->version]->vocabulary.labels;
    msw_net_answer answer;
    uint64_t sample = 0;
    msw_net_ask(a->net, &sample, 1, fetch, a, msw_net_alone, &answer);
    uint32_t class = answer.best[0];
    return class && class <= labels->count ? uvm_vocabulary_value(labels, class) : UVM_NO_DELTA;
}

static const memo *find_known(const online *a, uint32_t hash, msw_digest tokens)
{
    size_t at;
    for (uint32_t i = msw_index_first(&a->index, hash, &at); i != MSW_NOWHERE;
         i = msw_index_next(&a->index, hash, &at))
        if (msw_digest_equal(a->known[i].tokens, tokens))
            return &a->known[i];
    return NULL;
}

/* Answers as before where these tokens were seen before. */
static int answer(online *a, int64_t *delta)
{
    msw_digest key = msw_hash_bytes(a->tokens, sizeof a->tokens);
    key = msw_hash_pair(key, (msw_digest){.lo = a->version});
    uint32_t hash = msw_map_hash(key.lo);
    const memo *found = find_known(a, hash, key);
    if (!found) {
        MSW_TRY(msw_vec_reserve_in(a->arena, &a->known, &a->known_room, a->known_count + 1,
                                   sizeof *a->known, NULL));
        MSW_TRY(msw_index_add(&a->index, hash, (uint32_t)a->known_count, NULL));
        found = &a->known[a->known_count++];
        a->known[a->known_count - 1] = (memo){key, infer(a)};
    }
    *delta = found->delta;
    return 0;
}

/* The version that has taken over by the time of a walk. */
static int turn_to(online *a, uint32_t at)
{
    const uvm_trained *t = a->trained;
    size_t version = a->version;
    while (version + 1 < t->count && at >= (version + 1) * (uint64_t)t->every)
        version++;
    if (version == a->version)
        return 0;
    a->version = version;
    return msw_net_unflatten(a->net, false, t->version[version]->weights,
                             t->version[version]->weight_bytes, a->err);
}

static uint64_t ask(void *self, int *rc)
{
    online *a = self;
    const trail *t = a->last;
    int64_t delta;
    if (t->count < 2)
        return UINT64_MAX;
    const uvm_trace_row *row = &t->rows[(t->count - 1) % ROWS];
    if (turn_to(a, row->at)) {
        *rc = -1;
        return UINT64_MAX;
    }
    make_tokens(a, t);
    if (answer(a, &delta)) {
        *rc = msw_fail_memory(a->err);
        return UINT64_MAX;
    }
    int64_t target = delta == UVM_NO_DELTA ? -1 : (int64_t)row->page + delta;
    return target < 0 ? UINT64_MAX : (uint64_t)target;
}

/* ---- its beginning ---- */

int uvm_online_open(const msw_task *task, uvm_online *open, msw_err *err)
{
    online *a = msw_arena_zero(task->arena, 1, sizeof *a);
    if (!a)
        return msw_fail_memory(err);
    *a = (online){.task = task,
                  .how = uvm_predictor_of(task),
                  .layout = uvm_artifact_of(task, "layout"),
                  .features = uvm_features_of(uvm_predictor_of(task)),
                  .arena = task->arena,
                  .err = err,
                  .seed = 1,
                  .clusters.index.arena = task->arena,
                  .index.arena = task->arena};
    a->trained = uvm_trained_of(task, a->arena);
    if (!a->trained)
        return msw_fail_memory(err);
    const uvm_network *first = a->trained->version[0];
    msw_net_shape shape = uvm_net_shape_of(a->how, first);
    a->net = msw_net_new(&shape, 1, a->arena, err);
    if (!a->net || msw_net_unflatten(a->net, false, first->weights, first->weight_bytes, err))
        return -1;
    *open = (uvm_online){a, tell, ask};
    return 0;
}
