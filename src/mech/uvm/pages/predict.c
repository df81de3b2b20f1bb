/* SPDX-License-Identifier: MIT */
/* Predictors that are tables of a few words, and the oracle. A sequence is the different pages in a
 * row of a cluster; what is learned is how far the page `distance` on is. */
#include "mech/uvm/pages/predict.h"

/* Number of the cluster of an event. */
static inline uint64_t uvm_cluster(const uvm_predictor *q, const uvm_event *e)
{
    return q->config->predict_by == UVM_BY_SM ? e->sm
                                              : e->sm * (uint64_t)q->config->sm_warps + e->warp;
}

enum { SCORE_MOST = 31, ROUNDS = 100, REGION = 512, WORD = 8 };

/* ---- sequences ---- */

/* Adds a page to the sequence of its cluster. Returns it, or NULL: the page is there already. */
static uvm_trail *follow(uvm_predictor *q, const uvm_event *e, unsigned deltas)
{
    uvm_trail *t = &q->trails[uvm_cluster(q, e)];
    uint64_t context = 0;
    if (t->count && t->page[(t->count - 1) % UVM_TRAIL] == e->page)
        return NULL;
    t->page[t->count % UVM_TRAIL] = e->page;
    for (unsigned i = 0; i < deltas && i < t->count; i++)
        context = context * 0x9e3779b97f4a7c15u + t->page[(t->count - i) % UVM_TRAIL] -
                  t->page[(t->count - i - 1) % UVM_TRAIL] + 1;
    t->context[t->count % UVM_TRAIL] = context;
    t->count++;
    return t;
}

/* How far the sequence has come since the page `distance` before its last. Returns 0: it is
 * shorter. */
static int64_t moved(const uvm_predictor *q, const uvm_trail *t, uint64_t *before)
{
    uint64_t distance = (uint64_t)q->config->learner.distance, last = t->count - 1;
    if (last < distance)
        return 0;
    *before = (last - distance) % UVM_TRAIL;
    return (int64_t)(t->page[last % UVM_TRAIL] - t->page[*before]);
}

static uint64_t trails(uvm_predictor *q, uint64_t clusters, msw_arena *arena)
{
    q->trails = msw_arena_zero(arena, clusters, sizeof *q->trails);
    return q->trails ? clusters * WORD * ((uint64_t)q->config->learner.distance + 1) : UINT64_MAX;
}

static uint64_t table(uvm_predictor *q, uint64_t clusters, msw_arena *arena)
{
    uint64_t bytes = trails(q, clusters, arena), entries = (uint64_t)q->config->predict_entries;
    q->table = msw_arena_zero(arena, entries, sizeof *q->table);
    return q->table && bytes != UINT64_MAX ? bytes + 2 * WORD * entries : UINT64_MAX;
}

static uint64_t nothing(uvm_predictor *q, uint64_t clusters, msw_arena *arena)
{
    (void)q;
    (void)clusters;
    (void)arena;
    return 0;
}

static uvm_entry *entry_of(uvm_predictor *q, uint64_t key)
{
    uint64_t spread = key * 0x9e3779b97f4a7c15u;
    return &q->table[(spread >> 32) & ((uint64_t)q->config->predict_entries - 1)];
}

/* ---- one page ---- */

static uint32_t sequential(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    uint32_t count = (uint32_t)q->config->predict_degree;
    for (uint32_t i = 0; i < count; i++)
        out[i] = e->page + 1 + i;
    return count;
}

static uint32_t last_delta(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    uint64_t before;
    uvm_trail *t = follow(q, e, 0);
    int64_t delta = t ? moved(q, t, &before) : 0;
    out[0] = e->page + (uint64_t)delta;
    return delta != 0;
}

/* A stride counts when it has come twice in a row. */
static uint32_t stride(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    uint64_t key = uvm_cluster(q, e) << 16 | (e->pc + 1);
    uvm_entry *entry = entry_of(q, key);
    if (entry->key != key)
        *entry = (uvm_entry){.key = key, .last = e->page};
    int64_t delta = (int64_t)(e->page - entry->last);
    if (!delta)
        return 0;
    entry->sure = delta == entry->delta ? 1 : 0;
    entry->delta = delta;
    entry->last = e->page;
    out[0] = e->page + (uint64_t)(delta * q->config->learner.distance);
    return entry->sure;
}

/* Predicts what last followed a context; the prediction is replaced when it has failed twice. */
static void learn(uvm_predictor *q, uint64_t key, int64_t delta)
{
    uvm_entry *entry = entry_of(q, key);
    if (entry->key == key && entry->delta == delta)
        entry->sure = 1;
    else if (entry->key == key && entry->sure)
        entry->sure = 0;
    else
        *entry = (uvm_entry){.key = key, .delta = delta};
}

static uint32_t markov(uvm_predictor *q, const uvm_event *e, unsigned deltas, uint64_t *out)
{
    uint64_t before;
    uvm_trail *t = follow(q, e, deltas);
    if (!t)
        return 0;
    int64_t delta = moved(q, t, &before);
    if (delta)
        learn(q, t->context[before], delta);
    uint64_t key = t->context[(t->count - 1) % UVM_TRAIL];
    const uvm_entry *entry = entry_of(q, key);
    out[0] = e->page + (uint64_t)entry->delta;
    return entry->key == key && entry->delta != 0;
}

static uint32_t markov1(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    return markov(q, e, 1, out);
}

static uint32_t markov2(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    return markov(q, e, 2, out);
}

/* ---- offsets ---- */

static const int64_t OFFSETS[] = {1,  2,  3,  4,  5,  6,  8,   9,   10, 12,  15,  16,
                                  18, 20, 24, 25, 27, 30, 32,  36,  40, 48,  50,  54,
                                  60, 64, -1, -2, -4, -8, -16, -32, 96, 128, 256, 512};

static uint64_t offsets(uvm_predictor *q, uint64_t clusters, msw_arena *arena)
{
    q->offsets = msw_arena_zero(arena, clusters, sizeof *q->offsets);
    return q->offsets ? clusters * (UVM_TRAIL * WORD + sizeof OFFSETS / sizeof *OFFSETS)
                      : UINT64_MAX;
}

static void end_phase(uvm_offsets *o)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < sizeof OFFSETS / sizeof *OFFSETS; i++)
        best = o->score[i] > o->score[best] ? i : best;
    o->best = o->score[best] > 1 ? OFFSETS[best] : 0;
    for (uint32_t i = 0; i < sizeof OFFSETS / sizeof *OFFSETS; i++)
        o->score[i] = 0;
    o->rounds = o->tested = 0;
}

/* Tests one offset per page: had the page that far before been touched lately? */
static uint32_t best_offset(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    uvm_offsets *o = &q->offsets[uvm_cluster(q, e)];
    uint32_t tested = o->tested;
    if (o->count && o->recent[(o->count - 1) % UVM_TRAIL] == e->page)
        return 0;
    for (uint32_t i = 0; i < UVM_TRAIL && i < o->count; i++)
        if (o->recent[i] == e->page - (uint64_t)OFFSETS[tested]) {
            o->score[tested]++;
            break;
        }
    o->recent[o->count++ % UVM_TRAIL] = e->page;
    o->tested = (tested + 1) % (sizeof OFFSETS / sizeof *OFFSETS);
    o->rounds += o->tested == 0;
    if (o->score[tested] >= SCORE_MOST || o->rounds >= ROUNDS)
        end_phase(o);
    out[0] = e->page + (uint64_t)o->best;
    return o->best != 0;
}

/* ---- strides of regions ---- */

static uint64_t ways(uvm_predictor *q, uint64_t clusters, msw_arena *arena)
{
    q->ways = msw_arena_zero(arena, clusters, sizeof *q->ways);
    return q->ways ? clusters * UVM_WAYS * (WORD + UVM_WAYS * WORD / 2) : UINT64_MAX;
}

static uvm_way *way_of(uvm_way *all, uint64_t page, uint64_t stamp)
{
    uvm_way *oldest = &all[0];
    for (uint32_t i = 0; i < UVM_WAYS; i++) {
        uint64_t up = page - all[i].last, down = all[i].last - page;
        if (all[i].used && (up <= REGION || down <= REGION)) {
            all[i].used = stamp;
            return &all[i];
        }
        oldest = all[i].used < oldest->used ? &all[i] : oldest;
    }
    *oldest = (uvm_way){.last = page, .used = stamp};
    return oldest;
}

static void count_stride(uvm_way *w, int64_t stride)
{
    uint32_t least = 0;
    w->total++;
    for (uint32_t i = 0; i < UVM_WAYS; i++) {
        if (w->stride[i] == stride) {
            w->count[i]++;
            return;
        }
        least = w->count[i] < w->count[least] ? i : least;
    }
    w->total -= w->count[least];
    w->stride[least] = stride;
    w->count[least] = 1;
}

static uint32_t multi_stride(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    uvm_way *w = way_of(q->ways[uvm_cluster(q, e)], e->page, ++q->until);
    int64_t stride = (int64_t)(e->page - w->last);
    uint32_t found = 0;
    if (!stride)
        return 0;
    count_stride(w, stride);
    w->last = e->page;
    for (uint32_t i = 0; i < UVM_WAYS; i++)
        for (uint32_t k = 1; k <= 4 * w->count[i] / w->total; k++)
            out[found++] = e->page + (uint64_t)(w->stride[i] * (int64_t)k);
    return found;
}

/* ---- the oracle ---- */

static uint64_t places(uvm_predictor *q, uint64_t clusters, msw_arena *arena)
{
    (void)clusters;
    msw_rng_init(&q->draws, 1, 1);
    q->place = msw_arena_zero(arena, q->pages, sizeof *q->place);
    if (!q->place)
        return UINT64_MAX;
    for (size_t i = q->known.count; i-- > 0;)
        q->place[q->known.order[i]] = (uint32_t)i + 1;
    return 0;
}

/* A right page, or one of its 2 MiB. */
static uint64_t perhaps(uvm_predictor *q, uint64_t page)
{
    enum { CHUNK = UVM_CHUNK_BYTES / 4096 };
    double accuracy = q->config->oracle_accuracy;
    if (accuracy >= 1 || msw_rng_uniform(&q->draws) < accuracy)
        return page;
    return page / CHUNK * CHUNK + msw_rng_below(&q->draws, CHUNK);
}

static uint32_t oracle(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    uint32_t found = 0, at = q->place[e->page];
    while (at && at + found < q->known.count && found < (uint32_t)q->config->predict_degree) {
        out[found] = perhaps(q, q->known.order[at + found]);
        found++;
    }
    return found;
}

/* ---- what was trained ---- */

static uint64_t trained(uvm_predictor *q, uint64_t clusters, msw_arena *arena)
{
    (void)clusters;
    (void)arena;
    return q->known.bytes;
}

static uint32_t learned(uvm_predictor *q, const uvm_event *e, uint64_t *out)
{
    const uvm_online *asker = &q->known.asker;
    if (asker->self) {
        out[0] = asker->ask(asker->self, &q->failed);
        return out[0] != UINT64_MAX;
    }
    out[0] = q->known.named ? q->known.named[e->page] : UINT32_MAX;
    return out[0] != UINT32_MAX;
}

const uvm_prediction uvm_predictions[UVM_PREFETCHERS] = {
    [UVM_SEQUENTIAL] = {sequential, nothing},
    [UVM_LAST_DELTA] = {last_delta, trails},
    [UVM_STRIDE] = {stride, table},
    [UVM_MARKOV1] = {markov1, table},
    [UVM_MARKOV2] = {markov2, table},
    [UVM_BEST_OFFSET] = {best_offset, offsets},
    [UVM_MULTI_STRIDE] = {multi_stride, ways},
    [UVM_ORACLE] = {oracle, places},
    [UVM_LEARNED] = {learned, trained},
};
