/* SPDX-License-Identifier: MIT */
/* A tree of questions that divides rows by the spread of their errors.
 *
 * The gain of a question is that of the log likelihood of normal errors, sum over the targets of
 * n log s - n_left log s_left - n_right log s_right, with errors cut at CUT and spreads of at least
 * LEAST_SPREAD, so that neither one wild row nor a handful of exact ones decide. */
#include "memsweep/analysis/strata.h"

#include "memsweep/base/bits.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CUT          2.0
#define LEAST_SPREAD 0.004
#define LEAST_GAIN   12.0 /* of one question chosen among some hundred features */
enum { CUTS = 24 };       /* thresholds tried of a feature */

typedef struct growth {
    const msw_strata_rows *rows;
    msw_tree *tree;
    uint32_t *order; /* rows, those of a node side by side */
    double *values;
} growth;

typedef struct question {
    double gain, threshold;
    uint32_t feature;
} question;

/* Sums of one target on one side. */
typedef struct side {
    double n, sum, squares;
} side;

static void add_to(side *s, double error)
{
    double e = fmax(-CUT, fmin(CUT, error));
    if (isnan(error))
        return;
    s->n++;
    s->sum += e;
    s->squares += e * e;
}

static double loss(const side *s)
{
    if (s->n < 1)
        return 0;
    double mean = s->sum / s->n, variance = s->squares / s->n - mean * mean;
    return s->n * msw_math_log(sqrt(fmax(variance, 0)) + LEAST_SPREAD);
}

static double gain_of(const growth *g, size_t first, size_t end, uint32_t feature, double threshold)
{
    side sides[MSW_TREE_TARGETS][2] = {0};
    size_t left = 0;
    uint64_t groups[2] = {0, 0};
    for (size_t i = first; i < end; i++) {
        uint32_t row = g->order[i];
        bool right = !(g->rows->feature[feature][row] <= threshold);
        left += !right;
        groups[right] |= UINT64_C(1) << (g->rows->group[row] % 64);
        for (size_t t = 0; t < g->rows->targets; t++)
            add_to(&sides[t][right], g->rows->target[t][row]);
    }
    size_t fewest = g->rows->least_groups;
    if (left < g->rows->least || end - first - left < g->rows->least ||
        (size_t)msw_bits_count(groups[0]) < fewest || (size_t)msw_bits_count(groups[1]) < fewest)
        return 0;
    double gain = 0;
    for (size_t t = 0; t < g->rows->targets; t++) {
        const side *l = &sides[t][0], *r = &sides[t][1];
        side both = {l->n + r->n, l->sum + r->sum, l->squares + r->squares};
        gain += loss(&both) - loss(l) - loss(r);
    }
    return gain;
}

/* Thresholds lie in the middle between neighbouring quantiles of the node. */
static void try_feature(const growth *g, size_t first, size_t end, uint32_t feature, question *best)
{
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        double value = g->rows->feature[feature][g->order[i]];
        if (isfinite(value))
            g->values[n++] = value;
    }
    msw_sort_f64(g->values, n);
    double last = NAN;
    for (size_t c = 1; c < CUTS && n > 1; c++) {
        size_t at = c * n / CUTS;
        double low = g->values[at ? at - 1 : 0], high = g->values[at];
        while (low == high && at + 1 < n)
            high = g->values[++at];
        double threshold = low + (high - low) / 2;
        if (low == high || threshold == last)
            continue;
        last = threshold;
        double gain = gain_of(g, first, end, feature, threshold);
        if (gain > best->gain)
            *best = (question){gain, threshold, feature};
    }
}

static question find_question(const growth *g, size_t first, size_t end)
{
    question best = {.gain = LEAST_GAIN};
    if (end - first < 2 * g->rows->least)
        return best;
    for (uint32_t f = 0; f < g->rows->features; f++)
        try_feature(g, first, end, f, &best);
    return best;
}

static size_t divide(const growth *g, size_t first, size_t end, const question *q)
{
    size_t left = first;
    for (size_t i = first; i < end; i++) {
        uint32_t row = g->order[i];
        if (!(g->rows->feature[q->feature][row] <= q->threshold))
            continue;
        g->order[i] = g->order[left];
        g->order[left++] = row;
    }
    return left;
}

typedef struct pending {
    size_t node, first, end;
    question question;
} pending;

/* The question that gains most is asked first. */
static void divide_all(growth *g)
{
    pending list[MSW_TREE_LEAVES];
    size_t leaves = 1;
    msw_tree *tree = g->tree;
    *tree = (msw_tree){.count = 1};
    list[0] = (pending){0, 0, g->rows->n, find_question(g, 0, g->rows->n)};
    while (leaves < MSW_TREE_LEAVES) {
        size_t at = 0;
        for (size_t i = 1; i < leaves; i++)
            if (list[i].question.gain > list[at].question.gain)
                at = i;
        pending p = list[at];
        if (p.question.gain <= LEAST_GAIN)
            return;
        size_t middle = divide(g, p.first, p.end, &p.question);
        uint32_t child = (uint32_t)tree->count;
        tree->nodes[p.node] =
            (msw_tree_node){p.question.feature, child, child + 1, p.question.threshold};
        tree->nodes[child] = tree->nodes[child + 1] = (msw_tree_node){0};
        tree->count += 2;
        list[at] = (pending){child, p.first, middle, find_question(g, p.first, middle)};
        list[leaves++] = (pending){child + 1, middle, p.end, find_question(g, middle, p.end)};
    }
}

int msw_tree_grow(const msw_strata_rows *rows, msw_tree *tree, msw_err *err)
{
    growth g = {rows, tree, malloc((rows->n + 1) * sizeof *g.order),
                malloc((rows->n + 1) * sizeof *g.values)};
    int rc = g.order && g.values ? 0 : msw_fail_memory(err);
    for (size_t i = 0; rc == 0 && i < rows->n; i++)
        g.order[i] = (uint32_t)i;
    if (rc == 0)
        divide_all(&g);
    free(g.order);
    free(g.values);
    return rc;
}

size_t msw_tree_find(const msw_tree *tree, double (*value)(const void *context, size_t feature),
                     const void *context)
{
    size_t at = 0;
    while (tree->nodes[at].left) {
        const msw_tree_node *node = &tree->nodes[at];
        at = value(context, node->feature) <= node->threshold ? node->left : node->right;
    }
    return at;
}
