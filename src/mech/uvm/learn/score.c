/* SPDX-License-Identifier: MIT */
/* Metrics of a predictor (README.md, "What is measured"). */
#include "mech/uvm/learn/score.h"

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

int uvm_score(const uvm_learner *p, const uvm_taught *taught, const uvm_samples *s,
              const uvm_answers *a, msw_arena *arena, double *t, msw_err *err)
{
    const uvm_network *n = taught->version[taught->count - 1];
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
    t[UVM_S_TUNINGS] = (double)(taught->count - 1);
    t[UVM_S_INSTRUCTIONS] = 1024.0 * s->trace->end;
    t[UVM_S_BYPASSED] = uvm_bypassed(p, n);
    t[UVM_S_DOTS] = a->watched.dots;
    t[UVM_S_LARGEST] = a->watched.largest;
    t[UVM_S_MARKOV_RIGHT] = uvm_baseline(s, (uint64_t)t[UVM_S_WEIGHT_BYTES], true, arena);
    t[UVM_S_TABLE_RIGHT] = uvm_baseline(s, (uint64_t)t[UVM_S_WEIGHT_BYTES], false, arena);
    return t[UVM_S_MARKOV_RIGHT] < 0 || t[UVM_S_TABLE_RIGHT] < 0 ? msw_fail_memory(err) : 0;
}
