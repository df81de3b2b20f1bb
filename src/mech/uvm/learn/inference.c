/* SPDX-License-Identifier: MIT */
/* Answers of a predictor: about samples, by the versions that there were while a program ran, and
 * in replay, where the walks that a policy makes become tokens as those of a trace do
 * (samples.c). Tokens that have been seen before are looked up. */
#include "mech/uvm/learn/network.h"
#include "mech/uvm/learn/record.h"
#include "mech/uvm/pages/predict.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/rng.h"

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
    uint64_t key;        /* + 1; 0: free */
    uvm_trace_row *rows; /* a ring */
    uint64_t count;
} trail;

typedef struct memo {
    msw_digest tokens; /* of which version; both 0: free */
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
    trail *trails, *last; /* open hashing; last: that of the latest walk */
    size_t trail_mask, trail_count;
    memo *known; /* open hashing */
    size_t known_mask, known_count;
    msw_arena *arena;
    msw_err *err;
} online;

static int64_t infer(online *a);

/* ---- walks ---- */

static size_t start_of(uint64_t key, size_t mask)
{
    return msw_hash_bytes(&key, sizeof key).lo & mask;
}

static int grow_trails(online *a)
{
    size_t room = 2 * (a->trail_mask + 1);
    trail *grown = msw_arena_zero(a->arena, room, sizeof *grown);
    if (!grown)
        return -1;
    for (size_t i = 0; i <= a->trail_mask; i++) {
        size_t at = start_of(a->trails[i].key - 1, room - 1);
        if (!a->trails[i].key)
            continue;
        while (grown[at].key)
            at = (at + 1) & (room - 1);
        grown[at] = a->trails[i];
    }
    a->trails = grown;
    a->trail_mask = room - 1;
    return 0;
}

static trail *trail_of(online *a, uint64_t key)
{
    if (2 * a->trail_count > a->trail_mask && grow_trails(a))
        return NULL;
    size_t at = start_of(key, a->trail_mask);
    while (a->trails[at].key && a->trails[at].key != key + 1)
        at = (at + 1) & a->trail_mask;
    trail *t = &a->trails[at];
    if (!t->key) {
        t->rows = msw_arena_zero(a->arena, ROWS, sizeof *t->rows);
        t->key = key + 1;
        a->trail_count++;
    }
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

static memo *find_known(memo *known, size_t mask, msw_digest tokens)
{
    size_t at = tokens.lo & mask;
    while ((known[at].tokens.lo || known[at].tokens.hi) &&
           !msw_digest_equal(known[at].tokens, tokens))
        at = (at + 1) & mask;
    return &known[at];
}

static int grow_known(online *a)
{
    size_t room = 2 * (a->known_mask + 1);
    memo *grown = msw_arena_zero(a->arena, room, sizeof *grown);
    if (!grown)
        return -1;
    for (size_t i = 0; i <= a->known_mask; i++)
        if (a->known[i].tokens.lo || a->known[i].tokens.hi)
            *find_known(grown, room - 1, a->known[i].tokens) = a->known[i];
    a->known = grown;
    a->known_mask = room - 1;
    return 0;
}

/* What the tokens were answered before, or now. */
static int answer(online *a, int64_t *delta)
{
    msw_digest key = msw_hash_bytes(a->tokens, sizeof a->tokens);
    key = msw_hash_pair(key, (msw_digest){.lo = a->version});
    if (2 * a->known_count > a->known_mask && grow_known(a))
        return -1;
    memo *found = find_known(a->known, a->known_mask, key);
    if (!found->tokens.lo && !found->tokens.hi) {
        *found = (memo){key, infer(a)};
        a->known_count++;
    }
    *delta = found->delta;
    return 0;
}

static int64_t infer(online *a)
{
    const uvm_vocabulary *labels = &a->trained->version[a->version]->vocabulary.labels;
    msw_net_answer answer;
    uint64_t sample = 0;
    msw_net_ask(a->net, &sample, 1, fetch, a, msw_net_alone, &answer);
    uint32_t class = answer.best[0];
    return class && class <= labels->count ? uvm_vocabulary_value(labels, class) : UVM_NO_DELTA;
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

int uvm_online_open(const msw_task *task, uvm_online *asked, msw_err *err)
{
    enum { ROOM = 1024 };
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
                  .trail_mask = ROOM - 1,
                  .known_mask = ROOM - 1};
    a->trained = uvm_trained_of(task, a->arena);
    a->trails = msw_arena_zero(a->arena, ROOM, sizeof *a->trails);
    a->known = msw_arena_zero(a->arena, ROOM, sizeof *a->known);
    if (!a->trained || !a->trails || !a->known)
        return msw_fail_memory(err);
    const uvm_network *first = a->trained->version[0];
    msw_net_shape shape = uvm_net_shape_of(a->how, first);
    a->net = msw_net_new(&shape, 1, a->arena, err);
    if (!a->net || msw_net_unflatten(a->net, false, first->weights, first->weight_bytes, err))
        return -1;
    *asked = (uvm_online){a, tell, ask};
    return 0;
}
