/* SPDX-License-Identifier: MIT */
/* Rows of a list become columns. */
#include "sweep/points.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const msw_point_column *x = a, *y = b;
    return strcmp(x->key->text, y->key->text);
}

bool msw_points_claim(msw_points *p, msw_node *const *keys, size_t count)
{
    bool good = true;
    p->columns = msw_arena_zero(&p->l->arena, count + 1, sizeof *p->columns);
    p->row = msw_arena_zero(&p->l->arena, count + 1, sizeof *p->row);
    p->digest = msw_hash_stream_new();
    if (!p->columns || !p->row || !p->digest)
        return msw_loader_memory(p->l), false;
    for (size_t i = 0; i < count; i++) {
        p->columns[i].key = keys[i];
        p->columns[i].index = msw_loader_claim(p->l, keys[i], "listed");
        good = p->columns[i].index >= 0 && good;
    }
    p->width = count;
    if (good)
        qsort(p->columns, count, sizeof *p->columns, by_name);
    return good;
}

bool msw_points_take(msw_points *p)
{
    for (size_t c = 0; c < p->width; c++)
        if (msw_codes_add(&p->columns[c].codes, p->row[c]))
            return false;
    msw_hash_stream_add(p->digest, p->row, p->width * sizeof *p->row);
    p->rows++;
    return true;
}
