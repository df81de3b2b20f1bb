/* SPDX-License-Identifier: MIT */
/* Metrics of a predictor (README.md, "What is measured"), and of tables of differences of the
 * same size: what an index was followed by, with two bits of confidence.
 *
 * A constant that answers the commonest label is the floor of all.
 *
 * An entry takes 8 bytes: a tag of 24 bits, the answer as a difference of 32 bits, confidence. It
 * is found by a hash of the index; another index takes it when its confidence is used up. */
#include "mech/uvm/learn/record.h"

#include "memsweep/base/hash.h"

enum { ENTRY_BYTES = 8, STRIDE_BYTES = 16, MOST_CONFIDENCE = 3 };

typedef struct entry {
    uint32_t tag; /* + 1; 0: free */
    int32_t answer;
    uint32_t confidence;
} entry;

static uint64_t index_of(const uvm_samples *s, size_t sample, bool pairs)
{
    uint32_t row = s->rows[sample], before = s->before[row];
    int64_t key[2] = {uvm_feature(s, row, UVM_F_DELTA), INT64_MIN};
    if (!pairs)
        key[1] = uvm_feature(s, row, UVM_F_PC);
    else if (before && s->before[before - 1])
        key[1] = uvm_feature(s, before - 1, UVM_F_DELTA);
    return msw_hash_bytes(key, sizeof key).lo;
}

static entry *find(entry *table, size_t entries, uint64_t index, uint32_t *tag)
{
    *tag = (uint32_t)(index >> 40) + 1;
    return &table[index % entries];
}

static void teach(entry *e, uint32_t tag, int32_t answer)
{
    if (e->tag == tag && e->answer == answer) {
        e->confidence += e->confidence < MOST_CONFIDENCE;
    } else if (e->tag && e->confidence) {
        e->confidence--;
    } else {
        *e = (entry){tag, answer, 1};
    }
}

/* The baselines: a table of `bytes`, trained on the samples learned from in order of time, of which
 * `visited` may say which, then asked. `pairs`: indexed by the last two differences, else by PC and
 * the last. Returns how often it is right, or -1 when memory runs out. */
static double uvm_baseline(const uvm_samples *s, uint64_t bytes, bool pairs, const bool *visited,
                           msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    size_t entries = (size_t)msw_max_u64(bytes / ENTRY_BYTES, 1);
    entry *table = msw_arena_zero(arena, entries, sizeof *table);
    double right = 0;
    uint32_t tag;
    if (!table)
        return -1;
    for (size_t i = 0; i < s->learned_count; i++) {
        if (visited && !visited[i])
            continue;
        entry *e = find(table, entries, index_of(s, s->learned[i], pairs), &tag);
        teach(e, tag, (int32_t)uvm_sample_delta(s, s->learned[i]));
    }
    for (size_t i = 0; i < s->asked_count; i++) {
        const entry *e = find(table, entries, index_of(s, s->asked[i], pairs), &tag);
        right += e->tag == tag && e->answer == (int32_t)uvm_sample_delta(s, s->asked[i]);
    }
    msw_arena_release(arena, mark);
    return right;
}

/* The table of two differences, trained on what the network visited. Returns as uvm_baseline. */
static double trained_on_visited(const uvm_samples *s, uint64_t bytes, uint64_t visits,
                                 msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    bool *visited = msw_arena_zero(arena, s->learned_count + 1, sizeof *visited);
    if (!visited)
        return -1;
    for (uint64_t i = 0; i < msw_min_u64(visits, s->learned_count); i++)
        visited[uvm_learned_at(s, i)] = true;
    double right = uvm_baseline(s, bytes, true, visited, arena);
    msw_arena_release(arena, mark);
    return right;
}

/* What a load or store of a cluster did last. */
typedef struct stride_entry {
    uint64_t tag; /* + 1; 0: free */
    uint32_t page;
    int32_t stride, said; /* said: 0 unless the last two strides were the same */
} stride_entry;

/* A walk for its last page again says nothing new. */
static void renew(stride_entry *e, uint64_t tag, uint32_t page)
{
    int32_t stride = (int32_t)page - (int32_t)e->page;
    if (e->tag != tag)
        *e = (stride_entry){tag, page, 0, 0};
    else if (stride)
        *e = (stride_entry){tag, page, stride, stride == e->stride ? stride : 0};
}

/* Strides need no teaching: all walks of the trace pass the table in their order, and an asked one
 * is answered when it has passed. Returns how often it is right, or -1. */
static double right_strides(const uvm_samples *s, uint64_t bytes, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    size_t entries = (size_t)msw_max_u64(bytes / STRIDE_BYTES, 1), at = 0;
    stride_entry *table = msw_arena_zero(arena, entries, sizeof *table);
    double right = 0;
    if (!table)
        return -1;
    for (size_t row = 0; row < s->trace->count && at < s->asked_count; row++) {
        const uvm_trace_row *r = &s->trace->rows[row];
        uint64_t key[2] = {uvm_cluster_key(r, s->how->cluster), r->pc};
        uint64_t index = msw_hash_bytes(key, sizeof key).lo;
        if (s->after[row] == UINT32_MAX)
            continue;
        renew(&table[index % entries], index | 1, r->page);
        if (s->rows[s->asked[at]] != row)
            continue;
        int64_t said = table[index % entries].said * s->how->distance;
        right += said && said == uvm_sample_delta(s, s->asked[at]);
        at++;
    }
    msw_arena_release(arena, mark);
    return right;
}

/* Sum over classes of their samples x F1: 2 right / (answered + there). */
static int weigh_f1(const uvm_answers *a, uint32_t classes, msw_arena *arena, double *sum)
{
    uint32_t *there = msw_arena_zero(arena, 3 * (size_t)classes, sizeof *there);
    if (!there)
        return -1;
    uint32_t *answered = there + classes, *right = answered + classes;
    for (size_t i = 0; i < a->count; i++) {
        there[a->label[i]]++;
        answered[a->answer[i]]++;
        right[a->label[i]] += a->answer[i] == a->label[i] && a->label[i];
    }
    *sum = 0;
    for (uint32_t k = 0; k < classes; k++)
        if (there[k])
            *sum += 2.0 * there[k] * right[k] / (double)(there[k] + answered[k]);
    return 0;
}

/* A label that is not known cannot be right: class 0 says nothing about a page. */
static void count_answers(const uvm_answers *a, double *t)
{
    for (size_t i = 0; i < a->count; i++) {
        t[UVM_S_KNOWN] += a->label[i] != 0;
        t[UVM_S_RIGHT] += a->label[i] && a->rank[i] == 1;
        t[UVM_S_RIGHT10] += a->label[i] && a->rank[i] > 0;
        t[UVM_S_FLOOR_RIGHT] += a->label[i] == 1;
    }
    t[UVM_S_ASKED] = (double)a->count;
}

/* Bytes: 4 a number in floats, half a byte with 4 bits; outputs forward and backward for a batch.
 */
static int fill_sizes(const uvm_learner *p, const uvm_network *n, double *t, msw_err *err)
{
    msw_net_shape shape = uvm_net_shape_of(p, n);
    msw_net_size size;
    shape.attention = (msw_net_attention)p->attention;
    if (msw_net_measure(&shape, &size, err))
        return -1;
    bool hashed = shape.attention >= MSW_NET_LSH;
    t[UVM_S_WEIGHTS] = (double)size.weights;
    t[UVM_S_WEIGHT_BYTES] = uvm_number_bytes(p->numbers) * (double)size.weights;
    t[UVM_S_OUTPUT_BYTES] =
        2 * uvm_number_bytes(p->activations) * (double)p->batch * (double)size.outputs;
    t[UVM_S_PRODUCTS] = (double)size.products;
    t[UVM_S_DOTS_FULL] = (double)size.dots;
    t[UVM_S_HASHES] = hashed ? (double)size.compares : 0;
    t[UVM_S_CLASSES] = shape.classes;
    return 0;
}

/* Tables of as many bytes as the network. Returns 0, or -1. */
static int ask_tables(const uvm_samples *s, const uvm_network *n, msw_arena *arena, double *t)
{
    uint64_t bytes = (uint64_t)t[UVM_S_WEIGHT_BYTES];
    t[UVM_S_MARKOV_RIGHT] = uvm_baseline(s, bytes, true, NULL, arena);
    t[UVM_S_TABLE_RIGHT] = uvm_baseline(s, bytes, false, NULL, arena);
    t[UVM_S_SAME_RIGHT] = trained_on_visited(s, bytes, n->visits, arena);
    t[UVM_S_STRIDE_RIGHT] = right_strides(s, bytes, arena);
    return t[UVM_S_MARKOV_RIGHT] < 0 || t[UVM_S_TABLE_RIGHT] < 0 || t[UVM_S_SAME_RIGHT] < 0 ||
                   t[UVM_S_STRIDE_RIGHT] < 0
               ? -1
               : 0;
}

int uvm_score(const uvm_learner *p, const uvm_trained *trained, const uvm_samples *s,
              const uvm_answers *a, msw_arena *arena, double *t, msw_err *err)
{
    const uvm_network *n = trained->version[trained->count - 1];
    for (int i = 0; i < UVM_S_METRICS; i++)
        t[i] = 0;
    if (fill_sizes(p, n, t, err))
        return -1;
    if (weigh_f1(a, (uint32_t)t[UVM_S_CLASSES], arena, &t[UVM_S_F1_SUM]))
        return msw_fail_memory(err);
    count_answers(a, t);
    t[UVM_S_WALKS] = (double)s->trace->count;
    t[UVM_S_LEARNED] = (double)n->learned;
    t[UVM_S_DOMINANT] = (double)n->dominant;
    t[UVM_S_VISITS] = (double)n->visits;
    t[UVM_S_TUNINGS] = (double)(trained->count - 1);
    t[UVM_S_INSTRUCTIONS] = 1024.0 * s->trace->end;
    t[UVM_S_BYPASSED] = uvm_bypassed(p, n);
    t[UVM_S_DOTS] = a->watched.dots;
    t[UVM_S_LARGEST] = a->watched.largest;
    return ask_tables(s, n, arena, t) ? msw_fail_memory(err) : 0;
}
