/* SPDX-License-Identifier: MIT */
/* Keeps answers in slots by their keys: a newer one takes the place of an older one. */
#include "run/artifact.h"

#include "run/pool.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MOST = 1 << 16 };

struct msw_answers {
    msw_lock *lock;
    size_t slots, metrics;
    msw_digest *keys;
    msw_answer *heads;
    double *values; /* metrics and half-widths of each slot */
};

msw_answers *msw_answers_new(uint64_t points, size_t metrics)
{
    msw_answers *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->metrics = metrics;
    for (a->slots = 2; a->slots < SLOTS_MOST && a->slots < 2 * points;)
        a->slots *= 2;
    a->lock = msw_lock_new();
    a->keys = calloc(a->slots, sizeof *a->keys);
    a->heads = calloc(a->slots, sizeof *a->heads);
    a->values = calloc(a->slots * 2 * metrics + 1, sizeof *a->values);
    if (a->lock && a->keys && a->heads && a->values)
        return a;
    msw_answers_free(a);
    return NULL;
}

void msw_answers_free(msw_answers *a)
{
    if (!a)
        return;
    msw_lock_free(a->lock);
    free(a->keys);
    free(a->heads);
    free(a->values);
    free(a);
}

static size_t slot_of(const msw_answers *a, msw_digest key)
{
    return key.lo & (a->slots - 1);
}

bool msw_answers_find(msw_answers *a, msw_digest key, msw_answer *out)
{
    size_t slot = slot_of(a, key), bytes = a->metrics * sizeof(double);
    double *metrics = out->metrics, *half_widths = out->half_widths;
    msw_lock_take(a->lock);
    bool found = msw_digest_equal(a->keys[slot], key);
    if (found) {
        *out = a->heads[slot];
        out->metrics = metrics;
        out->half_widths = half_widths;
        memcpy(metrics, a->values + slot * 2 * a->metrics, bytes);
        memcpy(half_widths, a->values + (slot * 2 + 1) * a->metrics, bytes);
    }
    msw_lock_give(a->lock);
    return found;
}

void msw_answers_keep(msw_answers *a, msw_digest key, const msw_answer *answer)
{
    size_t slot = slot_of(a, key), bytes = a->metrics * sizeof(double);
    msw_lock_take(a->lock);
    a->keys[slot] = key;
    a->heads[slot] = *answer;
    memcpy(a->values + slot * 2 * a->metrics, answer->metrics, bytes);
    memcpy(a->values + (slot * 2 + 1) * a->metrics, answer->half_widths, bytes);
    msw_lock_give(a->lock);
}
