/* SPDX-License-Identifier: MIT */
/* A predictor that is asked in replay: the walks that a policy makes, one after the other, become
 * the tokens that those of a trace become (samples.c). Tokens that have been asked about before are
 * looked up. */
#include "mech/uvm/learn/lesson.h"
#include "mech/uvm/learn/record.h"
#include "mech/uvm/pages/predict.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/rng.h"

#include <string.h>

#define UVM_NO_DELTA INT64_MIN
enum { ROWS = UVM_TOKENS + 1 }; /* the difference of the first token is to the one before it */

/* The last walks of a cluster. */
typedef struct trail {
    uint64_t key;     /* + 1; 0: free */
    uvm_walked *rows; /* a ring */
    uint64_t count;
} trail;

typedef struct told {
    msw_digest tokens; /* of which version; both 0: free */
    int64_t delta;     /* UVM_NO_DELTA: none is named */
} told;

/* A predictor at work: the network in its present version, the latest tokens of each cluster of
 * walks (a trail), and the answers given so far. */
typedef struct asker {
    const msw_task *task;
    const uvm_learner *how;
    const uvm_layout *layout;
    const uvm_taught *taught;
    size_t version;
    msw_net *net;
    unsigned features;
    uint32_t tokens[UVM_TOKENS * UVM_FEATURES];
    uint64_t seed;
    trail *trails, *last; /* open hashing; last: that of the latest walk */
    size_t trail_mask, trail_count;
    told *known; /* open hashing */
    size_t known_mask, known_count;
    msw_arena *arena;
    msw_err *err;
} asker;

/* ---- walks ---- */

static size_t start_of(uint64_t key, size_t mask)
{
    return msw_hash_bytes(&key, sizeof key).lo & mask;
}

static int grow_trails(asker *a)
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

static trail *trail_of(asker *a, uint64_t key)
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
    asker *a = self;
    uvm_walked row = uvm_walked_of(a->layout, e);
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
static void make_tokens(asker *a, const trail *t)
{
    const uvm_vocabulary *words = &a->taught->version[a->version]->words;
    uint64_t first = t->count > ROWS ? t->count - ROWS : 0, count = t->count - first;
    uvm_walked rows[ROWS];
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
                *value++ = uvm_word(&words->of[f], uvm_feature(&s, i, f));
    }
}

static uint32_t fetch(const void *self, uint64_t sample, uint32_t *tokens)
{
    const asker *a = self;
    (void)sample;
    memcpy(tokens, a->tokens, UVM_TOKENS * msw_bits_count(a->features) * sizeof *tokens);
    return 0;
}

/* ---- answers ---- */

static int64_t infer(asker *a)
{
    const uvm_words *labels = &a->taught->version[a->version]->words.labels;
    msw_net_answer answer;
    uint64_t sample = 0;
    msw_net_ask(a->net, &sample, 1, fetch, a, msw_net_alone, &answer);
    uint32_t class = answer.best[0];
    return class && class <= labels->count ? uvm_word_value(labels, class) : UVM_NO_DELTA;
}

static told *find_known(told *known, size_t mask, msw_digest tokens)
{
    size_t at = tokens.lo & mask;
    while ((known[at].tokens.lo || known[at].tokens.hi) &&
           !msw_digest_equal(known[at].tokens, tokens))
        at = (at + 1) & mask;
    return &known[at];
}

static int grow_known(asker *a)
{
    size_t room = 2 * (a->known_mask + 1);
    told *grown = msw_arena_zero(a->arena, room, sizeof *grown);
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
static int answer(asker *a, int64_t *delta)
{
    msw_digest key = msw_hash_bytes(a->tokens, sizeof a->tokens);
    key = msw_hash_pair(key, (msw_digest){.lo = a->version});
    if (2 * a->known_count > a->known_mask && grow_known(a))
        return -1;
    told *found = find_known(a->known, a->known_mask, key);
    if (!found->tokens.lo && !found->tokens.hi) {
        *found = (told){key, infer(a)};
        a->known_count++;
    }
    *delta = found->delta;
    return 0;
}

/* The version that has taken over by the time of a walk. */
static int turn_to(asker *a, uint32_t at)
{
    const uvm_taught *t = a->taught;
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
    asker *a = self;
    const trail *t = a->last;
    int64_t delta;
    if (t->count < 2)
        return UINT64_MAX;
    const uvm_walked *row = &t->rows[(t->count - 1) % ROWS];
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

int uvm_asker_open(const msw_task *task, uvm_asker *asked, msw_err *err)
{
    enum { ROOM = 1024 };
    asker *a = msw_arena_zero(task->arena, 1, sizeof *a);
    if (!a)
        return msw_fail_memory(err);
    *a = (asker){.task = task,
                 .how = uvm_predictor_of(task),
                 .layout = uvm_artifact_of(task, "layout"),
                 .features = uvm_features_of(uvm_predictor_of(task)),
                 .arena = task->arena,
                 .err = err,
                 .seed = 1,
                 .trail_mask = ROOM - 1,
                 .known_mask = ROOM - 1};
    a->taught = uvm_taught_of(task, a->arena);
    a->trails = msw_arena_zero(a->arena, ROOM, sizeof *a->trails);
    a->known = msw_arena_zero(a->arena, ROOM, sizeof *a->known);
    if (!a->taught || !a->trails || !a->known)
        return msw_fail_memory(err);
    const uvm_network *first = a->taught->version[0];
    msw_net_shape shape = uvm_net_shape_of(a->how, first);
    a->net = msw_net_new(&shape, 1, a->arena, err);
    if (!a->net || msw_net_unflatten(a->net, false, first->weights, first->weight_bytes, err))
        return -1;
    *asked = (uvm_asker){a, tell, ask};
    return 0;
}
