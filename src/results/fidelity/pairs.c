/* SPDX-License-Identifier: MIT */
/* Pairs of rows at two fidelities, what is measured on them, and whether they contradict what a
 * mechanism states about its cheap model. */
#include "results/fidelity/pairs.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"
#include "memsweep/results/fidelity.h"
#include "memsweep/results/grouping.h"

#include "memsweep/base/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

static int key_order(msw_digest a, msw_digest b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

static int find_group(const msw_agree_options *ask, msw_agree_match *m, msw_agree_pair *pair,
                      msw_text *name, msw_err *err)
{
    int count = ask->group_by ? (int)msw_list_count(ask->group_by) : 0;
    msw_text_clear(name);
    for (int i = 0; i < count; i++) {
        msw_text_add(name, i ? ", " : "");
        msw_agree_text(m->candidates, pair->candidate, i, name);
    }
    for (size_t g = m->group_count; g-- > 0;)
        if (strcmp(m->groups[g], msw_text_str(name)) == 0) {
            pair->group = (uint32_t)g;
            return 0;
        }
    MSW_TRY(msw_vec_extend(&m->groups, m->group_count, sizeof *m->groups, err));
    m->groups[m->group_count] = msw_strdup(msw_text_str(name));
    pair->group = (uint32_t)m->group_count;
    return m->groups[m->group_count++] ? 0 : msw_fail_memory(err);
}

/* Both lists are sorted by key: one pass over each. */
static void join(msw_agree_match *m)
{
    const msw_agree_side *a = m->candidates, *b = m->references;
    size_t i = a->first[m->candidate], j = b->first[m->reference];
    while (i < a->first[m->candidate + 1] && j < b->first[m->reference + 1]) {
        int order = key_order(a->rows[i].key, b->rows[j].key);
        if (order == 0)
            m->pairs[m->n++] = (msw_agree_pair){&a->rows[i], &b->rows[j], 0};
        i += order <= 0;
        j += order >= 0;
    }
}

/* By sweep and row of the candidate: the order of the plan. */
static int by_position(const void *a, const void *b)
{
    const msw_agree_row *x = ((const msw_agree_pair *)a)->candidate,
                        *y = ((const msw_agree_pair *)b)->candidate;
    if (x->sweep != y->sweep)
        return x->sweep < y->sweep ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

int msw_agree_find(const msw_agree_options *ask, msw_agree_match *m, msw_err *err)
{
    const size_t *first = &m->candidates->first[m->candidate];
    m->pairs = malloc((first[1] - first[0] + 1) * sizeof *m->pairs);
    if (!m->pairs)
        return msw_fail_memory(err);
    m->grouped = ask->group_by != NULL;
    join(m);
    msw_sort(m->pairs, m->n, sizeof *m->pairs, by_position);
    msw_text name = MSW_TEXT_EMPTY;
    int rc = 0;
    for (size_t i = 0; i < m->n && rc == 0; i++)
        rc = find_group(ask, m, &m->pairs[i], &name, err);
    msw_text_free(&name);
    return rc;
}

void msw_agree_drop(msw_agree_match *m)
{
    for (size_t g = 0; g < m->group_count; g++)
        free(m->groups[g]);
    free(m->groups);
    free(m->pairs);
}

/* ---- measures ---- */

typedef struct columns {
    double *memory;
    msw_agree_values values;
    uint32_t *bound[2];
    size_t n;
} columns;

static int columns_new(columns *c, size_t n, msw_err *err)
{
    *c = (columns){
        .memory = malloc((4 * n + 1) * sizeof(double)),
        .bound = {malloc((n + 1) * sizeof(uint32_t)), malloc((n + 1) * sizeof(uint32_t))}};
    double *m = c->memory;
    if (!m || !c->bound[0] || !c->bound[1])
        return msw_fail_memory(err);
    c->values = (msw_agree_values){m, m + n, m + 2 * n, m + 3 * n, 0};
    return 0;
}

static void columns_free(columns *c)
{
    free(c->memory);
    free(c->bound[0]);
    free(c->bound[1]);
}

/* Memory of columns that are not loaded is never touched, so it takes none. */
static void fill(const msw_agree_match *m, uint32_t group, size_t metric, msw_agree_values *v)
{
    const int *own_column = m->candidates->metric[metric];
    int column = m->references->metric[metric][MSW_AGREE_VALUE];
    v->n = 0;
    for (size_t i = 0; i < m->n; i++) {
        const msw_agree_row *own = m->pairs[i].candidate;
        if (m->pairs[i].group != group)
            continue;
        v->candidate[v->n] = msw_agree_value(m->candidates, own, own_column[MSW_AGREE_VALUE]);
        v->reference[v->n] = msw_agree_value(m->references, m->pairs[i].reference, column);
        if (own_column[MSW_AGREE_HALF] >= 0)
            v->half[v->n] = msw_agree_value(m->candidates, own, own_column[MSW_AGREE_HALF]);
        if (own_column[MSW_AGREE_INSIDE] >= 0)
            v->inside[v->n] = msw_agree_value(m->candidates, own, own_column[MSW_AGREE_INSIDE]);
        v->n++;
    }
}

static const double *half_of(const msw_agree_match *m, size_t metric, const msw_agree_values *v)
{
    bool has = m->candidate == MSW_SAMPLED && m->candidates->metric[metric][MSW_AGREE_HALF] >= 0;
    return has ? v->half : NULL;
}

void msw_agree_start_row(const msw_agree_options *ask, const msw_agree_match *m, uint32_t group,
                         const char *metric, msw_table_builder *builder)
{
    msw_builder_row(builder);
    if (m->grouped)
        msw_builder_text(builder, ask->group_by, m->groups[group]);
    msw_builder_text(builder, "candidate", msw_fidelity_name((msw_fidelity)m->candidate));
    msw_builder_text(builder, "reference", msw_fidelity_name((msw_fidelity)m->reference));
    msw_builder_text(builder, "metric", metric);
}

static void set_share(msw_table_builder *builder, const char *name, const msw_share *share)
{
    char part[32];
    if (!share->n)
        return;
    msw_builder_number(builder, name, share->value);
    snprintf(part, sizeof part, "%s_low", name);
    msw_builder_number(builder, part, share->low);
    snprintf(part, sizeof part, "%s_high", name);
    msw_builder_number(builder, part, share->high);
}

enum { CONSTANT_OF = 2000 }; /* reference values among which the best constant is looked for */

static bool is_judged(const msw_agree_values *v, size_t i)
{
    return !isnan(v->candidate[i]) && !isnan(v->reference[i]) && v->inside[i] == 1;
}

void msw_agree_verdict(const msw_agreement *stated, const msw_agree_values *v,
                       msw_table_builder *builder)
{
    size_t judged = 0, within = 0, kept = 0, seen = 0;
    double full[CONSTANT_OF];
    for (size_t i = 0; i < v->n; i++)
        judged += is_judged(v, i);
    for (size_t i = 0; i < v->n; i++) {
        if (!is_judged(v, i))
            continue;
        if (msw_permute(seen++, judged, 0) < CONSTANT_OF)
            full[kept++] = v->reference[i];
        within += msw_stated_error(stated, v->candidate[i], v->reference[i]) <= stated->tolerance;
    }
    msw_builder_number(builder, "stated", stated->tolerance);
    msw_builder_number(builder, "of", stated->quantile);
    if (!judged)
        return;
    msw_builder_number(builder, "within", (double)within / (double)judged);
    msw_builder_number(builder, "constant", msw_stated_constant(stated, full, kept));
    msw_builder_text(builder, "verdict",
                     msw_stated_broken(stated, within, judged) ? "broken" : "holds");
}

static void add_errors(const msw_agreement_result *result, msw_table_builder *builder)
{
    msw_builder_count(builder, "used", result->used);
    msw_builder_count(builder, "dropped", result->dropped);
    msw_builder_number(builder, "bias", result->bias);
    msw_builder_number(builder, "median", result->median);
    msw_builder_number(builder, "p95", result->p95);
    msw_builder_number(builder, "worst", result->worst);
    msw_builder_number(builder, "tau", result->tau);
    if (result->no_ratio)
        msw_builder_count(builder, "no_ratio", result->no_ratio);
    set_share(builder, "covered", &result->covered);
}

/* What is asked of a ratio to a reference is the loss or the gain: its distance from 1, which may
 * be far off where the ratio is not. */
static int measure_excess(const msw_agree_options *ask, const msw_agree_match *m, uint32_t group,
                          size_t metric, double confidence, msw_agree_values *v,
                          msw_table_builder *builder)
{
    msw_agreement_result result;
    char name[128];
    for (size_t i = 0; i < v->n; i++) {
        v->candidate[i] -= 1;
        v->reference[i] -= 1;
    }
    msw_pairs pairs = {v->n, v->candidate, v->reference, half_of(m, metric, v)};
    MSW_TRY(msw_agreement_measure(&pairs, confidence, &result, builder->err));
    snprintf(name, sizeof name, "%s - 1", ask->metrics[metric]);
    msw_agree_start_row(ask, m, group, name, builder);
    add_errors(&result, builder);
    msw_builder_number(builder, "p95_points", 100 * result.p95_difference);
    return 0;
}

static bool is_paired(const msw_mech *mech, const char *name)
{
    int m = msw_metrics_find(mech->metrics, name);
    return m >= 0 && mech->metrics[m].kind == MSW_PAIRED;
}

static int measure_metric(const msw_agree_options *ask, const msw_agree_match *m, uint32_t group,
                          size_t metric, double confidence, msw_agree_values *v,
                          msw_table_builder *builder)
{
    msw_agreement_result result;
    fill(m, group, metric, v);
    msw_pairs pairs = {v->n, v->candidate, v->reference, half_of(m, metric, v)};
    const msw_agreement *stated = msw_stated_find(ask->mech, ask->metrics[metric]);
    if (msw_agreement_measure(&pairs, confidence, &result, builder->err))
        return -1;
    if (!result.used && !ask->filter && m->n)
        return 0;
    msw_agree_start_row(ask, m, group, ask->metrics[metric], builder);
    add_errors(&result, builder);
    if (stated && m->candidate == MSW_ANALYTIC && m->reference == MSW_FULL)
        msw_agree_verdict(stated, v, builder);
    return result.used && is_paired(ask->mech, ask->metrics[metric])
               ? measure_excess(ask, m, group, metric, confidence, v, builder)
               : 0;
}

/* Whether both are on the same side of the limits. */
static void measure_limits(const msw_agree_options *ask, const msw_agree_match *m, uint32_t group,
                           size_t metric, double confidence, msw_agree_values *v,
                           msw_table_builder *builder)
{
    size_t hits = 0, used = 0;
    fill(m, group, metric, v);
    for (size_t i = 0; i < v->n; i++)
        if (!isnan(v->candidate[i]) && !isnan(v->reference[i])) {
            used++;
            hits += v->candidate[i] == v->reference[i];
        }
    msw_share same = msw_share_of(hits, used, confidence);
    msw_agree_start_row(ask, m, group, MSW_LIMITS_NAME, builder);
    msw_builder_count(builder, "used", used);
    msw_builder_count(builder, "dropped", v->n - used);
    set_share(builder, "same", &same);
}

/* Labels of two tables have their own numbers, so names are distinguished by their digest. */
static uint32_t bound_of(const msw_agree_side *side, const msw_agree_row *row, msw_text *text)
{
    msw_text_clear(text);
    msw_agree_text(side, row, side->bound_by, text);
    return text->size ? (uint32_t)msw_hash_string(msw_text_str(text)).lo | 1 : 0;
}

static void measure_bottleneck(const msw_agree_options *ask, const msw_agree_match *m,
                               uint32_t group, double confidence, columns *c,
                               msw_table_builder *builder)
{
    msw_text text = MSW_TEXT_EMPTY;
    c->n = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (m->pairs[i].group != group)
            continue;
        c->bound[0][c->n] = bound_of(m->candidates, m->pairs[i].candidate, &text);
        c->bound[1][c->n++] = bound_of(m->references, m->pairs[i].reference, &text);
    }
    msw_text_free(&text);
    msw_share same = msw_agreement_category(c->bound[0], c->bound[1], c->n, 0, confidence);
    if (!same.n)
        return;
    msw_agree_start_row(ask, m, group, "bound_by", builder);
    msw_builder_count(builder, "used", same.n);
    msw_builder_count(builder, "dropped", c->n - same.n);
    set_share(builder, "same", &same);
}

int msw_agree_measure(const msw_agree_options *ask, const msw_agree_match *m, double confidence,
                      msw_table_builder *builder)
{
    columns c;
    int rc = columns_new(&c, m->n, builder->err);
    for (uint32_t g = 0; g < m->group_count && rc == 0; g++) {
        for (size_t i = 0; i < ask->metric_count && rc == 0; i++)
            if (m->candidates->metric[i][MSW_AGREE_VALUE] < 0)
                continue;
            else if (strcmp(ask->metrics[i], MSW_LIMITS_NAME) == 0)
                measure_limits(ask, m, g, i, confidence, &c.values, builder);
            else
                rc = measure_metric(ask, m, g, i, confidence, &c.values, builder);
        if (rc == 0 && m->candidates->bound_by >= 0)
            measure_bottleneck(ask, m, g, confidence, &c, builder);
    }
    columns_free(&c);
    return rc;
}
