/* SPDX-License-Identifier: MIT */
/* Predictors as bytes. */
#include "mech/uvm/learn/network.h"

#include <string.h>

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
